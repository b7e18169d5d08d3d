"""Pages of several domains in three languages, and the conversations that people have about them."""

# ruff: noqa: E501 - prose reads better unbroken

from dataclasses import dataclass

PAGES = {
    "kestrel": (
        "The Kestrel city bike",
        (
            "The Kestrel is a steel city bike for flat towns and short rides. It weighs 12.4 kg with mudguards and a rack. "
            "Riders praise the quiet belt drive and the upright seat. The Kestrel sells for 849 euros, lights included. "
            "Mara Lindqvist drew the first Kestrel in 2019. Its hub has eight gears and needs no oil."
        ),
    ),
    "heron": (
        "The Heron cargo bike",
        (
            "The Heron is a cargo bike with a box in front of the rider. It carries 180 kg, two children and the shopping "
            "among it. The Heron's price is 3,290 euros with the motor. Tomas Ek built the prototype in a shed near "
            "Gothenburg. The frames are welded in Porto."
        ),
    ),
    "rye": (
        "Keeping a rye starter",
        (
            "A rye starter keeps ten days in the fridge without feeding. Feed it with equal parts of flour and water. "
            "A healthy starter doubles within six hours and smells of apples. Grey liquid on top only means that it is "
            "hungry. Bakers in Riga hand theirs down for generations."
        ),
    ),
    "oven": (
        "Deck ovens for small bakeries",
        (
            "The deck oven reaches 300 degrees in forty minutes. Its stone is two centimetres thick. Steam comes from a "
            "tray of lava rocks. The deck oven draws 6 kW and wants a three-phase socket."
        ),
    ),
    "mill": (
        "Note: the mill",
        (
            "The mill stands at 14 Weir Lane in Aldbourne, behind the church. The wheel turns on Saturdays. The key hangs "
            "with the miller, Mrs. Okonjo."
        ),
    ),
    "observatory": (
        "Tarn Hill observatory",
        (
            "The observatory on Tarn Hill opened on 3 May 1934. Its refractor has a lens of 62 cm. Visitors may look "
            "through it on Friday nights. Dr. A. J. Whitlow discovered two comets there."
        ),
    ),
    "tram": (
        "Line 7 returns to the harbour",
        (
            "LYSEKIL (Northwire) — The city council voted on Tuesday to bring back tram line 7. The new tracks will run "
            "from the harbour to the hospital. Work begins in March 2027 and takes eighteen months. The line was closed "
            "in 1968 when buses were cheaper. The council expects 14,000 passengers a day."
        ),
    ),
    "lumenco": (
        "Regulator opens inquiry into Lumenco",
        (
            "LONDON (Northwire) — The markets regulator has opened an investigation into Lumenco Corp., the lamp maker. "
            "It wants to know whether Lumenco told investors the truth about its debts. Lumenco said it would cooperate. "
            "Shares fell 11.5 percent on Monday. The chief executive, Paula Strand, resigned last week."
        ),
    ),
    "glide": (
        "Nordwagen shows the ID. Glide Tourer",
        (
            "Nordwagen has shown the ID. Glide Tourer, an electric estate car, at the Geneva motor show. The ID. Glide "
            "Tourer goes 590 km on one charge. The cabin is lined with apple leather. Deliveries start in late 2026."
        ),
    ),
    "backup": (
        "Backing up the ledger database",
        (
            "The ledger database is dumped every night at 02:30. To restore it, run:\n\n```sh\npg_restore -d ledger "
            "nightly.dump\n```\n\nDumps older than thirty days are deleted. Backups go to the bucket named cellar-west. "
            "Ingrid Moe is called when a dump fails, because she holds the encryption key."
        ),
    ),
    "bees": (
        "Varroa mites in winter",
        (
            "Varroa mites weaken a colony because they feed on the fat body of the bees. Treat the hive with oxalic acid in "
            "December, when there is no brood. A colony with more than three mites in a hundred bees seldom survives. "
            "Drone combs can be cut out in spring to remove many mites at once."
        ),
    ),
    "bats": (
        "Bats under the bridge",
        (
            "Some 400 pipistrelle bats sleep under the Calder bridge. They leave the roost twenty minutes after sunset. "
            "The bridge may not be painted between May and August because the bats raise their young then."
        ),
    ),
    "solar": (
        "Balkonkraftwerk am Geländer",
        (
            "Ein Balkonkraftwerk liefert höchstens 800 Watt. Die Anmeldung im Marktstammdatenregister dauert zehn Minuten. "
            "Das Balkonkraftwerk kostet im Set 529 Euro. Die Module hängen am Geländer und neigen sich um 20 Grad."
        ),
    ),
    "pump": (
        "Wärmepumpe im Altbau",
        (
            "Eine Wärmepumpe braucht im Altbau große Heizkörper. Der Einbau der Wärmepumpe kostet rund 28.000 Euro. "
            "Im Winter holt sie aus einer Kilowattstunde Strom etwa drei Kilowattstunden Wärme. Der Installateur Jens "
            "Petersen prüft sie jeden Herbst."
        ),
    ),
    "hut": (
        "Die Falkenhütte",
        (
            "Die Falkenhütte liegt im Karwendel auf 1.848 m Höhe. Sie öffnet am 7. Juni und schließt Mitte Oktober. "
            "Hüttenwirtin ist Bertl Ostner. Hunde schlafen im Winterraum."
        ),
    ),
    "manchego": (
        "Queso manchego curado",
        (
            "El queso manchego se hace con leche de oveja. La rueda madura doce meses en una cueva de Toledo. El queso "
            "manchego cuesta 24 euros el kilo. La quesería la fundó Rosario Beltrán en 1951."
        ),
    ),
    "cabra": (
        "Queso de cabra fresco",
        (
            "El queso de cabra fresco dura ocho días en la nevera. Se vende a 13 euros el kilo en el mercado. El pastor "
            "ordeña las cabras a las seis de la mañana."
        ),
    ),
    "clay": (
        "Taller de cerámica",
        (
            "El taller de cerámica está en la calle Olmo 9, junto a la plaza. Las clases empiezan el 12 de septiembre. "
            "El horno sube a 1.240 grados. La profesora se llama Inés Carrasco."
        ),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question, the page that must be cited first ("" for none), and what the answer says and leaves unsaid."""

    text: str
    first: str = ""
    says: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    only: bool = False
    """No second page is cited."""


def one(text: str, first: str, *says: str, unsaid: tuple[str, ...] = ()) -> Ask:
    """Return a question that one page answers."""
    return Ask(text=text, first=first, says=says, unsaid=unsaid, only=True)


def both(text: str, first: str, *says: str) -> Ask:
    """Return a question that several pages answer, this one first."""
    return Ask(text=text, first=first, says=says)


JOURNEYS: dict[str, tuple[Ask, ...]] = {
    "a price": (one("How much does the Kestrel cost?", "kestrel", "849 euros", unsaid=("belt drive",)),),
    "a price said otherwise": (one("what is the price of the Heron?", "heron", "3,290 euros"),),
    "a person": (one("who designed the Kestrel?", "kestrel", "Mara Lindqvist"),),
    "a builder": (one("Who built the prototype of the Heron?", "heron", "Tomas Ek"),),
    "a weight": (one("how heavy is the Kestrel?", "kestrel", "12.4 kg"),),
    "a place": (one("where is the mill?", "mill", "14 Weir Lane"),),
    "a place of making": (one("where are the frames of the Heron welded?", "heron", "Porto"),),
    "a duration": (one("how long does a rye starter keep?", "rye", "ten days", unsaid=("Riga",)),),
    "a date": (one("when did the observatory open?", "observatory", "3 May 1934"),),
    "a name with initials": (
        one("who discovered the comets?", "observatory", "Dr. A. J. Whitlow discovered two comets"),
    ),
    "a beginning": (one("When does work on tram line 7 begin?", "tram", "March 2027"),),
    "a number": (one("How many passengers does the council expect?", "tram", "14,000"),),
    "news behind its dateline": (one("what did the council vote for?", "tram", "bring back tram line 7"),),
    "a price that is not there": (Ask(text="what does a bat cost?", unsaid=("[1]",)),),
    "a range": (one("how far does the ID. Glide Tourer go on one charge?", "glide", "ID. Glide Tourer goes 590 km"),),
    "a share": (one("how much did Lumenco's shares fall?", "lumenco", "11.5 percent"),),
    "a reason": (one("why do varroa mites weaken a colony?", "bees", "fat body"),),
    "a prohibition": (one("why may the Calder bridge not be painted in June?", "bats", "raise their young"),),
    "a command": (one("how do I restore the ledger database?", "backup", "pg_restore -d ledger"),),
    "a person in charge": (one("who is called when a dump fails?", "backup", "Ingrid Moe"),),
    "a German price": (one("Wie viel kostet ein Balkonkraftwerk?", "solar", "529 Euro"),),
    "a German date": (one("Wann öffnet die Falkenhütte?", "hut", "7. Juni"),),
    "a German person": (one("Wer prüft die Wärmepumpe?", "pump", "Jens Petersen"),),
    "a German place": (one("Wo liegt die Falkenhütte?", "hut", "Karwendel"),),
    "a Spanish price": (one("¿Cuánto cuesta el queso manchego?", "manchego", "24 euros"),),
    "a Spanish place": (one("¿Dónde está el taller de cerámica?", "clay", "calle Olmo 9"),),
    "a Spanish person": (one("¿Quién fundó la quesería?", "manchego", "Rosario Beltrán"),),
    "a Spanish date": (one("¿Cuándo empiezan las clases de cerámica?", "clay", "12 de septiembre"),),
    "a follow-up asks for something new": (
        one("how long does a rye starter keep?", "rye", "ten days"),
        one("and with what do I feed it?", "rye", "flour and water", unsaid=("ten days",)),
    ),
    "a follow-up by pronoun": (
        one("when did the observatory open?", "observatory", "1934"),
        one("how big is its lens?", "observatory", "62 cm", unsaid=("1934",)),
    ),
    "a German follow-up": (
        one("Wo liegt die Falkenhütte?", "hut", "Karwendel"),
        one("und wer ist die Hüttenwirtin?", "hut", "Bertl Ostner"),
    ),
    "a Spanish follow-up": (
        one("¿Dónde está el taller de cerámica?", "clay", "calle Olmo"),
        one("¿y quién es la profesora?", "clay", "Inés Carrasco"),
    ),
    "a comparison in the order asked": (
        both("Compare the Heron and the Kestrel", "heron", "**Heron**", "**Kestrel**"),
    ),
    "a comparison of news": (
        both(
            "Compare the Lumenco investigation and the Nordwagen ID Glide Tourer", "lumenco", "Lumenco", "Glide Tourer"
        ),
    ),
    "lookup, comparison, the other one, greeting": (
        one("How much does the Kestrel cost?", "kestrel", "849"),
        both("compare the Kestrel and the Heron", "kestrel", "**Heron**"),
        both("and what about the other one?", "heron", "Heron"),
        Ask(text="hello!", says=("Hello",)),
    ),
    "comparison, lookup, the other one": (
        both("compare the Kestrel and the Heron", "kestrel", "**Heron**"),
        one("how much does the Heron cost?", "heron", "3,290"),
        one("and the other one?", "kestrel", "849"),
    ),
    "two lookups, the other one": (
        one("how long does a rye starter keep?", "rye", "ten days"),
        one("how hot does the deck oven get?", "oven", "300 degrees"),
        both("and what about the other one?", "rye"),
    ),
    "the other one and back": (
        both("compare the deck oven and the rye starter", "oven", "**rye starter**"),
        one("who hands a starter down for generations?", "rye", "Riga"),
        both("what about the other one?", "oven"),
        both("and the other one again?", "rye"),
    ),
    "the first one, the second one": (
        both("what is the difference between the Kestrel and the Heron?", "kestrel"),
        both("tell me more about the second one", "heron"),
        both("and how much does the first one cost?", "kestrel", "849"),
    ),
    "the former, the latter": (
        both("rye starter vs deck oven", "rye"),
        both("what does the latter draw?", "oven", "6 kW"),
        both("when does the former double?", "rye", "six hours"),
    ),
    "the other one in German": (
        both("Vergleiche Balkonkraftwerk und Wärmepumpe", "solar", "**Wärmepumpe**"),
        one("Was kostet das Balkonkraftwerk?", "solar", "529"),
        one("und die andere?", "pump", "28.000"),
    ),
    "the other one in Spanish": (
        both("Compara el queso manchego y el queso de cabra", "manchego"),
        one("¿cuánto cuesta el queso manchego?", "manchego", "24 euros"),
        both("¿y el otro?", "cabra", "13 euros"),
    ),
    "nothing saved": (Ask(text="who won the regatta in Kiel?", unsaid=("[1]",)),),
    "thanks": (
        one("where is the mill?", "mill", "Weir Lane"),
        Ask(text="thanks a lot!"),
    ),
    "greetings in German and Spanish": (Ask(text="Hallo!"), Ask(text="¡Hola! ¿Qué tal?")),
}
