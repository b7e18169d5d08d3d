"""Name the query parameters that say who shared or clicked a link, and nothing about which page it is.

Compiled by hand from what advertising, mail and analytics systems document about their own link tagging. A name that
also means something on many sites (`ref`, `source`, `id`, `sid`) is listed for single sites only.
"""

import re
from collections.abc import Mapping

FAMILY = re.compile(r"[a-z]{2,3}_(?:campaign|medium|source|term)|utm[a-z]*")
"""Other systems' tags after the pattern of Google's `utm_campaign`."""
PREFIXES: tuple[str, ...] = (
    "utm_",  # Google Analytics and everybody who followed it
    "mtm_",  # Matomo
    "matomo_",
    "pk_",  # Matomo, then Piwik
    "piwik_",
    "hsa_",  # HubSpot ads
    "_hs",  # HubSpot mail
    "__hs",
    "mc_",  # Mailchimp
    "fb_",  # Facebook actions and sources
    "_ga",  # Google Analytics, cross-domain
    "ga_",
    "gad_",  # Google Ads
    "gdf",  # GoDataFeed
    "trk_",  # Listrak
    "trkemail",  # LinkedIn mail
    "_bta_",  # Bronto
    "elq",  # Eloqua
    "oly_",  # Omeda
    "vero_",
    "bsft_",  # Blueshift
    "sfmc_",  # Salesforce Marketing Cloud
    "ml_subscriber",  # MailerLite
    "wt.",  # Webtrends
    "wt_",
    "at_",  # AT Internet
    "ns_",  # comScore
    "__cft__",  # Facebook feed
    "_branch_",  # Branch deep links
    "pf_rd_",  # Amazon placements, also on its other sites
    "pd_rd_",
    "guce_",  # Yahoo's consent detour
    "algo_",  # AliExpress
    "irclick",  # Impact
    "redirect_log_",
    "redirect_mongo_",
    "action_object_map",
    "action_type_map",
    "action_ref_map",
    "itm_",  # internal tagging after utm_'s pattern
    "stm_",
    "cm_mmc",  # IBM Coremetrics
    "cm_me",
    "cm_re",
    "cm_sp",
    "dm_i",  # dotdigital
    "aff_",
)
CLICKS = """
    fbclid fbadid gclid gclsrc dclid gbraid wbraid srsltid msclkid twclid ttclid li_fat_id yclid ysclid ymclid
    _openstat epik rdt_cid sccid cjevent irgwc awc zanpid tduid wickedid ef_id s_kwcid mkwid pcrid obclid
    outbrainclickid tblci qclid admitad_uid clickid click_id adgroupid campaignid gad gclaw igshid igsh
    mibextid rb_clickid lmtclid sscid vmcid ndclid
"""
MAIL = """
    mkt_tok s_cid __s _ke _kx et_rid et_cid emci emdi nr_email_referer
    sb_referer_host ss_source ss_campaign_id ss_campaign_name ss_email_id ss_campaign_sent_date
    email_source email_token mlnk trk_contact cmpid cmp_id campaign_ref icid intcid ncid nx_source
    xtor xtref wkid echobox smid smtyp mbid ito sr_share vgo_ee wtmc wtrid os_ehash ceneo_spo
"""
SHARING = """
    ref_src ref_url referrer_source share_id share_source share_medium share_from spm scm spm_id_from vd_source
    twsrc __twitter_impression hss_channel __readwiselocation tracking_source trk_info
    is_copy_url is_from_webapp sender_device sender_web_id
"""
SESSIONS = """
    phpsessid jsessionid guccounter amp_gsa amp_js_v aoh usqp _x_tr_hist _gl gs_l gs_lcrp gs_lcp sxsrf
    __tn__ __xts__ __xts__[0] hsctatracking
"""
NAMES = frozenset(f"{CLICKS} {MAIL} {SHARING} {SESSIONS}".split())
BY_SITE: Mapping[str, frozenset[str]] = {
    site: frozenset(names.split())
    for site, names in {
        "youtube.com": "si feature pp ab_channel t start app kw",
        "spotify.com": "si context nd go dl_branch",
        "x.com": "s t ref_src cxt",
        "reddit.com": "context share_id rdt ref ref_source utm_name sort post_fullname",
        "wikipedia.org": "wprov useskin",
        "medium.com": "source sk_source gi",
        "substack.com": "r s showwelcome triedredirect isfreemail publication_id post_id token_source",
        "linkedin.com": "trk trkinfo lipi midtoken midsig refid originalsubdomain rcm",
        "facebook.com": "rdid share_url ref notif_id notif_t paipv eav locale2",
        "instagram.com": "hl img_index ig_rid",
        "threads.net": "xmt",
        "tiktok.com": "_r _t lang q_source",
        "pinterest.com": "rs eq etslf mt sender",
        "google.com": "ved ei sa usg sca_esv sclient client oq aqs gs_l rlz sourceid ie iflsig uact bih biw dpr",
        "bing.com": "form cvid qs sp pq sc sk refig filters_source",
        "duckduckgo.com": "t ia atb",
        "amazon.com": "ref ref_ tag qid sr crid sprefix dib dib_tag th psc linkcode linkid camp creative creativeasin",
        "ebay.com": "hash mkevt mkcid mkrid campid toolid customid amdata var_source",
        "etsy.com": "ref click_key click_sum organic_search_click frs",
        "imdb.com": "ref_",
        "nytimes.com": "searchresultposition referringsource partner emc rref",
        "theguardian.com": "cmp",
        "washingtonpost.com": "itid tid",
        "bloomberg.com": "srnd sref",
        "wsj.com": "mod reflink st_source",
        "bbc.com": "xtor",
        "bbc.co.uk": "xtor",
        "producthunt.com": "ref",
        "news.ycombinator.com": "goto",
        "stackoverflow.com": "rq lq noredirect s",
        "techcrunch.com": "guccounter",
        "yahoo.com": "soc_src soc_trk fr",
        "t.me": "single embed mode",
        "apple.com": "uo at ct mt itsct itscg ls",
        "steampowered.com": "snr curator_clanid",
        "twitch.tv": "tt_content tt_medium",
        "vimeo.com": "share fl fe",
        "quora.com": "share srid",
        "booking.com": "aid label sid dest_source srpvid",
        "aliexpress.com": "spm pvid gps-id scm curpagelogid gatewayadapt",
        "bilibili.com": "from seid share_session_id unique_k",
        "zhihu.com": "utm_psn utm_id",
    }.items()
}


def tracks(name: str, host: str) -> bool:
    """Say whether a parameter of this name, on this host, only tracks. `host`: a key's host, without `www.`."""
    lowered = name.lower()
    if lowered in NAMES or lowered.startswith(PREFIXES) or FAMILY.fullmatch(lowered):
        return True
    return any(lowered in BY_SITE.get(suffix, ()) for suffix in suffixes(host))


def suffixes(host: str) -> tuple[str, ...]:
    """Return the host and the domains above it, longest first, at most four."""
    labels = host.split(".")[-5:]
    return tuple(".".join(labels[at:]) for at in range(len(labels) - 1))
