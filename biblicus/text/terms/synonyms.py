"""Words that may say the same: `founded` where somebody asks when a company began, `permit` for `allow`.

A short list of common words, not a dictionary: of two sentences that hold as many of the words of a question, the one
that has a synonym of another answers it more often. Texts are searched for the words that are asked for, and never for
these. No word is here whose stem is that of another one (`customer`, `custom`; `important`, `import`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from biblicus.text.terms import analysis, inflections

COUNTS = 0.3
"""What a synonym counts beside the word itself where a statement is chosen. From .2 to .35 answers are the same."""
_GROUPS = """
abbreviation acronym, ability capacity, about around approximately roughly, accept approve adopt,
advise recommend counsel, affect influence impact, afraid fear scared, agree consent, agreement treaty pact accord,
allow permit let, amount quantity sum, angry furious, annual yearly, answer reply respond, area region zone district,
argue contend, argument dispute, argument parameter, army military troops, arrest detain, arrive reach,
ask request inquire, attack assault, attempt try effort, author writer, average mean, avoid evade, award prize medal,
baby infant, battle conflict, beautiful lovely, begin found establish, begin start commence, belief doctrine,
big large huge great, birth born, blame accuse, body corpse, book volume, border boundary, boss manager supervisor,
brave courageous, bright luminous, bug defect, build construct, buy purchase acquire, call name term title,
cancel abort, car automobile vehicle, careful cautious, carry transport convey, cause lead result,
celebration festival, ceremony ritual, chance opportunity, change modify alter, cheap inexpensive, check verify,
child kid, choose select pick, city town, clean pure, clever intelligent, cold cool, colleague coworker,
color colour hue, combine merge unite, come derive originate stem, company firm, compare contrast, compose write,
compulsory mandatory obligatory, connect link join attach, conquer occupy, consider regard deem view,
consist comprise, contain include hold comprise, continue remain last persist, contract agreement,
control govern rule, correct right accurate, cost price expense, count number, country nation state,
crash freeze hang, create establish found form, crime offense offence, criticize criticise condemn, cure heal treat,
current present, custom tradition, daily everyday, damage harm injure injury, danger hazard risk, dangerous hazardous,
decide determine resolve, decision ruling, deep profound, defeat beat, delay latency, delay postpone,
delete remove erase, describe depict portray, design devise, destroy demolish ruin, die death perish, differ vary,
difference distinction, different distinct, dirty polluted contaminated, discover invent, distance far,
distinguish separate, distribute share, divide split partition, doctor physician, document paper, double twice,
drink beverage, drug medicine, dry arid, earlier previous prior former, easy simple, effect impact influence,
elect vote, empty vacant, end finish conclude cease, enough sufficient, enter join, error mistake fault, escape flee,
estimate calculate, event occurrence, exact precise, examine inspect investigate, exchange swap trade,
expensive costly, explain describe, extra additional, fail failure, fall decrease decline drop, false untrue,
famous renowned notable celebrated, fast quick rapid speedy, fight battle, final last ultimate, find discover locate,
fire dismiss, first initial original, flat level, folder directory, food meal, forbid prohibit ban disallow,
founder creator, freedom liberty, full complete, function procedure routine, funeral burial, game match, gap hole,
gather collect assemble, get obtain receive acquire, give provide grant supply, goal aim purpose,
government administration, graph chart, grave tomb, group band, grow increase rise expand, guide direct,
gun weapon firearm, happen occur, happy glad, hard difficult, hate dislike, headquarters base, heat warmth,
height tall, help assist aid, hide conceal, hire recruit employ, holiday vacation leave, hot warm,
house home dwelling, hurt injure wound, idea concept notion, ill sick, illegal unlawful, illness disease sickness,
indicate show signal, instruction command, insurance coverage, invade invasion conquer, invoice bill,
job occupation profession, judge court, kill slay murder, kind type sort, known called named, lack absence shortage,
land territory, landlord owner lessor, language tongue, last endure, later subsequent, lawyer attorney, lazy idle,
lead head direct, leader head, learn study, leave depart, legal lawful, length long, like enjoy, link relate connect,
list catalog, live reside dwell inhabit, locate situate, login signin, lose defeat,
main primary principal chief major, make create produce, manage run operate administer, map chart, marry wed,
maximum most highest, mean signify, measure gauge, meeting appointment, member part, method technique approach,
minimum least lowest, moment instant, money fund, move shift transfer, movie film, name designate, near close nearby,
necessary essential, need require, new recent modern, newspaper press, nickname call, number figure, often frequently,
old ancient elderly, operate function, opinion view, oppose resist, optional voluntary, organization organisation,
origin derive, own possess, part portion section, password passphrase, pay salary wage, percent percentage share,
perform play, period era age, picture image, piece fragment, place location site, plan intend,
plane aircraft airplane, player athlete, poor impoverished, possibility likelihood, possible feasible, praise commend,
predecessor previous, prevent avoid stop, prison jail, problem issue difficulty, promote encourage, proof evidence,
property possession, protect defend guard, prove demonstrate, public open, publish release issue,
punish penalty penalize, quickly rapidly, quiet silent, raise increase, rare scarce uncommon, reason cause,
record album, reduce decrease lessen lower cut diminish, refund reimbursement reimburse, refuse reject decline deny,
religion faith, rent lease, repair fix mend, replace substitute supersede, replace succeed,
represent symbolize symbolise stand, research study, resident inhabitant, resign quit, result outcome consequence,
reveal disclose expose, rich wealthy affluent, river stream, rock stone, rough uneven, round circular,
rule law regulation, ruler king monarch, sad unhappy, safe secure, same equal, say state claim assert, school academy,
scientist researcher, screen monitor, sea ocean, search seek look, seat headquarter, secret confidential, sell vend,
send transmit dispatch, separate apart, separate divide split, separate independent, set collection, setting option,
settle colonize colonise, settler colonist, shape form, share divide, sharp acute, ship vessel boat,
show display demonstrate exhibit, significant crucial vital, similar alike, size dimension, skill ability capability,
slow gradual, small little tiny, smell odor odour scent, smooth even, soldier troop, song track, sound noise,
speech address, speed velocity rate, spread distribute disperse, staff personnel employee, stand abbreviate,
stay remain, stop halt cease, store keep save, store shop, story tale, straight direct, street road, strong powerful,
student pupil, stupid foolish, succeed achieve accomplish, success achievement, suggest propose recommend,
supplier vendor provider, support back endorse, surround encircle enclose, taste flavor flavour,
teach educate instruct, teacher instructor educator, team squad, tell inform, tenant renter lessee, term word,
theory hypothesis, thick dense, thin slim, think believe, tired exhausted, trade commerce, train rail,
translate render, travel journey, trial test, true genuine, type form, typical common usual, unusual odd strange,
use employ, usually typically, visit tour, vote ballot, wait delay, want wish desire, war conflict,
warranty guarantee, way method manner, weak feeble, website site webpage, weight heavy, wet moist damp,
whole entire complete total, wife spouse husband, win earn receive, win victory triumph, work labor labour,
worker employee laborer, write author pen, wrong incorrect
"""


def of(terms: Sequence[str], stemmer: str) -> Mapping[str, str]:
    """For the terms that are synonyms of some of these: of which, the first where they are of several."""
    others = _others(stemmer)
    return {other: term for term in reversed(terms) for other in others.get(term, ()) if other not in terms}


@cache
def _others(stemmer: str) -> Mapping[str, tuple[str, ...]]:
    if stemmer == "english":
        written = _GROUPS
    else:
        from biblicus.text.terms import synonyms_elsewhere  # lazy: most corpora need one list

        written = synonyms_elsewhere.GROUPS.get(stemmer, "")
    groups = [
        [form for term in analysis.terms(words, stemmer) for form in inflections.stems_of(term, stemmer)]
        for words in written.split(",")
    ]
    words = {term for group in groups for term in group}
    of_each = {word: [other for group in groups if word in group for other in group] for word in words}
    return {word: tuple(sorted({*others} - {word})) for word, others in of_each.items()}
