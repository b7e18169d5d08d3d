"""Examples of each kind of message, written by hand: a message is like those whose vectors are near its own."""

# ruff: noqa: E501 - one subject a line reads better than wrapped examples

from collections.abc import Mapping

from bot.domain.answers import Intent

TALK = """
what name should i call you by|what do people call you|how should i address you|what would you like to be called|which name do you prefer|can you introduce yourself|i did not catch your name|your name please, ai|do you have a nickname
how old is this ai|how long have you been around|since when do you exist|when were you created|what is your date of birth, bot|who is the maker of this ai|who wrote your code|where do you call home|who do you report to|what commands do you know|how do i use you
i have to run now|take it easy, bye|catch you later|peace, i am out|got to get going|sayonara|i owe you one|i can't thank you enough|hey you, what's happening|hi there, bot|wake up, bot|i have no idea|beats me|no clue, honestly|confirmed|that is right, yes|that is incorrect, no|nah, forget it
hello there|hi, good to see you|good morning to you|hey, how is your day going|how are you feeling today|are you doing well|is everything alright with you|how have you been
how's life treating you|are you all right today|nice to meet you|hey what's new with you|are you having a good day|hope you are well
goodbye for now|see you next time|bye, it was nice talking to you|have a great evening|i have to go now, bye|talk to you later|so long|it was a pleasure chatting with you|best regards, over and out|until we meet again
thank you for the help|thanks, that was really useful|i appreciate your assistance|many thanks for doing that|thank you so very much|i am grateful for your help|thanks for giving it a try|cheers, much obliged|thanks for the answer
are you a human or a machine|am i talking to a robot|are you a real person|is this a computer speaking|are you an ai|are you some kind of bot|are you alive|am i speaking with a live person|do you have a body
what is your name|what should i call you|who am i talking to|do you have a name|tell me your name please|what are you called|by what name do you go|can i have your name
how old are you|what is your age|when were you born|what year were you made|when is your birthday|are you older than me|how many years have you existed
where are you from|which country do you come from|where were you born|where do you live|what is your place of origin|what part of the world are you from|where did you grow up
who made you|who created you|who programmed you|which company built you|who is your developer|who designed you|tell me who your creators are|who invented you
who do you work for|who is your boss|who is in charge of you|who owns you|do you work for someone else|who do you answer to|am i your boss|who controls you|who employs you
what can you do|what can i ask you|what are you able to help me with|how can you help me|what kind of questions do you answer|what are your skills|tell me what you know how to do|what topics can you talk about|list the things you can do for me
do you have any hobbies|what do you do for fun|what do you like to do in your free time|how do you spend your spare time|what are your interests|what pastimes do you enjoy|do you play sports for fun
do you have pets|do you own a dog|do you like cats|what is the name of your pet|are you a dog person or a cat person|how many pets do you have|do you keep any animals
tell me a joke|make me laugh|say something funny|do you know any good jokes|i want to hear a joke about cats|another joke please|can you tell a funny story|give me your best pun|i need a laugh, joke with me
what is the meaning of life|why are we here|what is the purpose of existence|what is life all about|why do humans exist|tell me the point of living|what is our purpose on earth
yes, that is right|yes please|correct|that's true|absolutely yes|affirmative|yes it is|sure, why not|my answer is yes|indeed it is|that is accurate|you got it right|i agree with that
no, that's wrong|no thank you|that is not true|absolutely not|negative|no it isn't|my answer is no|never, no way|that's false|i disagree|that isn't correct|i would say no
maybe|perhaps|i am not sure|i don't know yet|could be|it depends|possibly, i can't decide|i haven't decided|i'm undecided on that|it might be, might not be|could go either way|i'm uncertain about this|hard to say
you are great|you're so funny|i love you|good job, bot|well done|that was helpful of you|i like talking to you|you are the best|do you have feelings|do you dream|are you happy|are you married|tell me about yourself
hallo, wie geht es dir|guten morgen zusammen|vielen dank für deine hilfe|tschüss, bis morgen|bist du ein mensch|wie heißt du|was kannst du alles|wer hat dich gemacht|wie alt bist du|erzähl mir einen witz|schönen feierabend|danke, das war hilfreich
hola, qué tal estás|buenos días a todos|muchas gracias por tu ayuda|adiós, hasta mañana|eres una persona real|cómo te llamas|qué puedes hacer|quién te creó|cuántos años tienes|cuéntame un chiste|gracias, muy útil
"""
LOOKUP = """
what is on my to do list|what do i have to do today|read me my tasks for tomorrow|where am i right now|what is my current location|share my location with my wife|tell me some trivia about dogs|give me a fun fact about football|do you remember my name|what name do you have for me
say that again please|repeat what you just said|what was your last question|one more time please|be quiet|stop talking now|how much do i earn|what is my salary|what fun things are there to do in boston|do you know my income|change what i call you|i want you to answer to a new name
start my car|solve this math problem for me|what is twelve times nine|order me a toy|where should i travel in july|when did i last have my car checked|what should i tell my boss|what did you say about the port|what did i ask you to remember
what is the capital of australia|when does the library open|how much does the license cost|where is the deployment guide|what is the default port of the database|who wrote the article on memory safety|what did we decide about the logo
which version fixed the login bug|how long does flour keep|what temperature should the oven have|who is the owner of the billing service|what is the phone number of the clinic|when was the company founded|what does the acronym mean
where can i find the style guide|what time is my meeting|what's the weather tomorrow|how do i get to the airport|what is my account balance|is my flight on time|what is the exchange rate of the euro|how many calories are in an apple
what song is playing|remind me to call the dentist|set a timer for ten minutes|play some jazz|book a table for two|order a pizza|cancel my reservation|transfer money to savings|add milk to my shopping list|what is on my calendar|turn off the lights
flip a coin for me|roll the dice|change your name to bob|call me by another name|speak with another accent|talk faster|please repeat that|what is my name|what do you call me|tell me a fact about whales|say something interesting about space|call my mother
text john that i am late|find my phone|what is the date today|what time is it in tokyo|how do you spell necessary|what does gregarious mean|how do you say thank you in french|is it going to rain|what holidays are next month|turn the volume down
how do i reset my password|do i need a visa for japan|how can i change my oil|can i substitute butter for oil|what is my credit score|report a stolen card|how many vacation days do i have left|was my time off approved|switch to whisper mode
who is the president of france|which team won the final|how old is the president|how old is the universe|where was the singer born|who created the internet|who invented the telephone|what pets are good for children|best hobbies for retired people
the history of jokes in rome|is the bridge open|does the museum allow dogs|what makes a good boss|how do robots learn to walk|what are the names of the planets|why is the sky blue|docker compose volumes|rust borrow checker tutorial|flour guide
notes on sleep|release checklist|the offsite in may, right|mira moved the launch to june|hello world example in go|greeting card templates|thank you letter template|link to the budget sheet|find the page about sourdough|the article that ben shared on databases
wie hoch ist die miete|wo steht die anleitung für den drucker|was kostet die lizenz|wann öffnet das museum|wer hat den artikel über rost geschrieben|welcher port ist voreingestellt|was haben wir zum logo entschieden|wie lange hält mehl
cuánto cuesta la licencia|dónde está la guía de despliegue|cuándo abre el museo|quién escribió el artículo sobre rust|qué puerto usa la base de datos|qué decidimos sobre el logo|cuánto dura la harina|cómo reinicio mi contraseña
"""
COMPARING = """
compare postgres and mysql|what is the difference between a latte and a cappuccino|rust versus go for servers|which is better, react or vue|how do the two proposals differ|pros and cons of renting against buying|is python slower than java
contrast the strategies of apple and google|what are the similarities of bees and wasps|does solar cost more than wind|which of the two phones has the better camera|differences between the old and the new policy
vergleiche die beiden angebote|was ist der unterschied zwischen kredit und leasing|ist zug oder flug günstiger|compara los dos planes|cuál es la diferencia entre té verde y té negro|qué es mejor, alquilar o comprar
"""
SUMMARIES = """
summarize the article on sleep|give me an overview of the migration plan|what are the key points of the report|tl;dr of the meeting notes|brief me on the discussion about pricing|what is the gist of the paper|recap what was said about hiring
outline the onboarding guide|main takeaways from the talk|sum up everything we saved about batteries|what are the highlights of the release|in short, what does the guide say
fasse den artikel zusammen|gib mir einen überblick über das projekt|worum geht es in dem bericht|resume el artículo sobre el sueño|dame un resumen de la reunión|cuáles son los puntos clave del informe
"""
REASONING = """
why did the migration fail|explain how garbage collection works|how does inflation affect savings|what are the implications of the new law|should we move to microservices|what causes migraines|what would happen if the cache was disabled
how can we reduce churn|what is the evidence that meditation helps|what is the reason for the delay|analyze the risks of the plan|how did the war change the economy|is it a good idea to invest in gold|what do you think about remote work
why do cats purr|what was it like to live in the nineties|does vitamin d prevent colds|how should teams handle incidents|how do vaccines work and are they safe|what led to the fall of the empire|what are the effects of caffeine on sleep
what is the impact of tourism on the island|has anyone had trouble with this router|is capital punishment justified|what are the benefits of fasting|how come bread collapses in the oven|what is your opinion on tipping
warum ist die migration gescheitert|wie wirkt sich koffein auf den schlaf aus|welche folgen hat das neue gesetz|sollten wir umziehen|por qué falló la migración|cómo afecta la cafeína al sueño|qué consecuencias tiene la ley|deberíamos mudarnos
"""
COUNTING = """
list all links about design|how many notes did we save in may|show me everything ana shared last week|which links were posted in the channel yesterday|give me all files tagged budget|what did tom share about databases|who shared the guide on bread
list my notes|show the latest links|all the articles from github|what was saved this month|number of files in the thesis pocket|what have we saved about caching|everything shared since monday|how many memories are there|what links do we have on kubernetes
liste alle links zu design|wie viele notizen haben wir im mai gespeichert|was hat ana letzte woche geteilt|zeig mir alle dateien von gestern|lista todos los enlaces sobre diseño|cuántas notas guardamos en mayo|qué compartió ana la semana pasada
"""


def lines(text: str) -> tuple[str, ...]:
    """Return the examples of a text, one between bars or line ends."""
    return tuple(example.strip() for example in text.replace("\n", "|").split("|") if example.strip())


PROTOTYPES: Mapping[Intent, tuple[str, ...]] = {
    "no_retrieval": lines(TALK),
    "simple_lookup": lines(LOOKUP),
    "comparison": lines(COMPARING),
    "summarization": lines(SUMMARIES),
    "analytical": lines(REASONING),
    "count_or_list": lines(COUNTING),
}
