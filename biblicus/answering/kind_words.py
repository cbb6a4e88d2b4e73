"""Words in a text that tell what is asked for: an amount, a number, a time, a reason. Small tables, many languages."""

from __future__ import annotations

import re

HELD = {
    "money": re.compile(
        r"[€$£¥₹]|\b\d[\d.,\u00a0 ]{0,20}(?:euros?|eur|cents?|pounds?|pence|dollars?|usd|gbp|chf|franken|francs?"
        r"|kronor|kroner|yen"
        r"|rubles?|rupees?|zł|руб\w*|元|円)(?!\w)|\b\d{1,3}(?:[.,\u00a0 ]?\d{3}){0,6}[.,]\d{2}\b(?![.,:]?\d)"
        r"|\b(?:amount|price|cost|fee|total|net|gross|betrag|preis|kosten|summe|netto|brutto|prix|montant|precio|importe)"
        r"(?: \([^()]{1,12}\))?: -?\d"
        r"|free of charge|kostenlos"
        r"|gratuit\w*|gratis|бесплатно",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|half"
        r"|thousand|million|billion|quarter|dozen|twice|once"
        r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|million(?:en)?"
        r"|hälfte|drittel"
        r"|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien"
        r"|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cientos?|mil"
        r"|millón|millones|mitad|tercio|veces|onze|douze|treize|quatorze|quinze|vingt|trente|quarante|cinquante"
        r"|soixante|moitié|un tiers|milliards?|tre|quattro|cinque|sette|nove|dieci|undici|dodici|venti|trenta|cento"
        r"|metà|milion[ei]|miliard[oi]|(?:due|sei|otto) (?=volte|\w+i\b)|dois|duas|três|sete|oito|dez|doze|vinte|trinta"
        r"|quarenta|cinquenta|cem|metade|milh(?:ão|ões)|bilh(?:ão|ões)|twee|drie|vijf|zes|zeven|negen|tien|twaalf"
        r"|twintig|dertig|veertig|vijftig|honderd|duizend|helft|miljoen|miljard|två|fyra|fem|sju|åtta|nio|tio|tolv"
        r"|tjugo"
        r"|hundra|tusen|hälften|miljoner|seks|syv|otte|tolv|tyve|hundrede|tusind|halvdelen"
        r"|dva|dvě|tři|čtyři|pět|šest|sedm|osm|devět|deset|tisíc\w*|дві|чотири|шість|сім|вісім|двічі|мільйон\w*"
        r"|дв(?:а|е|ое|ух|ум|умя)|тр(?:и|[её]х|[её]м|емя|ое)|четыр(?:е|[её]х|[её]м|ьмя)|пят(?:ь|и|ью)|шест(?:ь|и|ью)"
        r"|сем(?:ь|и|ью)|вос(?:емь|ьми|емью)|девят(?:ь|и|ью)|десят(?:ь|и|ью|ки|ков)|двадцат\w*|тридцат\w*|сорока?"
        r"|пят(?:ь|и)десят\w*|ст[оа]|половин\w*|трет[ьи]|четверт[ьи]|дважды|трижды|\w*кратн\w*|тысяч\w*|миллион\w*"
        r"|миллиард\w*"
        r"|bốn|sáu|mười|trăm|nghìn|triệu|tỷ|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|yirmi|otuz|kırk|elli|milyon|milyar"
        r"|yarı\w*"
        r"|doi|două|trei|patru|cinci|șase|șapte|nouă|zece|sut[ăe]|jumătate|dwa|dwie|trzy|cztery|pięć|sześć|siedem"
        r"|osiem"
        r"|dziewięć|dziesięć|tysi\w+|połow\w+|dwóch|trzech|czterech|pięciu|sześciu|\w+krotn\w+|jedenaście|dwanaście"
        r"|dwadzieścia|pół|milion\w*|miliard\w*|chín|bảy|tám|mươi|hai (?=lần|người|con|chiếc|phần)"
        r"|onlarca|yüzlerce|binlerce|έντεκα|δώδεκα|τριάντα|σαράντα|πενήντα|δισεκατομμύρι\w+|δύο|τρεις|τρία"
        r"|τέσσερ\w+|πέντε|έξι|επτά|εφτά|οκτώ|οχτώ|εννέα|εννιά|δέκα"
        r"|είκοσι|εκατό\w*|χίλι\w+|χιλιάδ\w+|εκατομμύρι\w+|μισ[όά]|اثن[اي]ن|ثلاثة?|أربعة?|خمسة?|ستة?|سبعة?|ثمانية?"
        r"|تسعة?|عشرة?|مئة|مائة|ألف|آلاف|مليون\w*|مليار\w*|نصف|ربع|ثلث|مرتين|مرتان|مئات|إحدى|عشر(?:ون|ين)"
        r"|ثلاث(?:ون|ين))\b"
        "|(?:दो|तीन|चार|पांच|पाँच|छह|सात|आठ|दस|सौ|नौ|ग्यारह|बारह|बीस|तीस|आध[ाे]|छः|सैकड़ों|हजारों|हजार|हज़ार|लाख"
        "|करोड़|अरब)(?![\u0900-\u097f])"
        "|หนึ่ง|สอง|สาม|สี่|สิบ|ร้อย|ล้าน"
        "|[一二三四五六七八九十百千万亿两]|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\\s?(?:개|명|번|가지|대|살)",
        re.IGNORECASE,
    ),
    "time": re.compile(
        r"\b(?:(?:1\d{3}|20\d{2})(?:s|er|ern)?|\d0(?:s|er|ern)|\d{1,2}:\d{2})\b"
        r"|\b\d[\d.,\u00a0 ]{0,20}(?:millions? |millionen "
        r"|миллион\w* )?(?:years?|jahren?|лет|años|ans|anni|anos|bce?|ad|bp|v\. ?chr)\b"
        r"|\b(?:century|centuries|decades?|jahrhunderts?|век[аеу]?|год[ау]?"
        r"|siglos?|années?|siècles?|secol\w{1,3}|séculos?|décadas?|thế kỷ|yüzyıl\w*|yılı\w*|anul|anii|αιών\w*|έτος"
        r"|δεκαετί\w+|(?<=\d )roku|wiek[uie]?\w{0,3}|latach|roce|letech|století|роц[іу]|року|століття?|eeuw\w*"
        r"|århundra?de\w*|abad|tahun|عام|سنة|قرن|القرن)\b|世纪|星期|曜日|\d\s?[년월]|세기|ศตวรรษ|[พค]\.ศ\.|सदी|शताब्दी|वर्ष"
        r"|दशक|سنوات|سال"
        r"|(?<!\d)(?:[١۱१๑][٠-٩۰-۹०-९๐-๙]{3}|[٢۲२๒][٠۰०๐๔๕][٠-٩۰-۹०-९๐-๙]{2})(?!\d)"
        r"|\b(?:enero|abril|agosto|diciembre|février|avril|juin|juillet|août|décembre|gennaio|giugno|luglio|ottobre"
        r"|dicembre|fevereiro|dezembro|tháng|ocak|şubat|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık"
        r"|ianuarie"
        r"|iunie|iulie|noiembrie|stycznia|lutego|marca|kwietnia|(?<=\d )maja|czerwca|lipca|sierpnia|września"
        r"|października|listopada|grudnia|ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince"
        r"|січня"
        r"|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня|(?:ιανουαρ|φεβρουαρ"
        r"|μαρτ|απριλ|ιουν|ιουλ|σεπτεμβρ|οκτωβρ|νοεμβρ|δεκεμβρ)ίου|μαΐου|αυγούστου"
        r"|يناير|فبراير|مارس|[أا]بريل|مايو|يونيو|يوليو|[أا]غسطس|سبتمبر|[أا]كتوبر|نوفمبر|ديسمبر)\b"
        "|जनवरी|फ़?रवरी|अप्रैल|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर|มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม"
        "|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม"
        r"|(?<![青少成老])年(?![轻龄级纪幼迈])|月(?![亮球光饼])"
        r"|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?"
        r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábados?"
        r"|domingos?|понедельник\w*|вторник\w*|(?<=в )среду|средам|четверг\w*|пятниц\w*|суббот\w*|воскресень\w*)\b"
        r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|янв|фев|мар|апр|мая|июн|июл|авг"
        r"|сен|окт"
        r"|ноя|дек)\w*\b",
        re.IGNORECASE,
    ),
    "reason": re.compile(
        r"\b(?:because|due to|owing to|since|caused?|causes|as a result|in order to|so that|led to"
        r"|weil|da|wegen|aufgrund|damit|parce que|car|à cause|en raison|puisque|afin d[e']|grâce à|porque|debido"
        r"|ya que|puesto que|dado que|a causa"
        r"|gracias a|perché|poiché|siccome|dato che|affinché|per via d\w+|pois|já que|uma vez que|por causa|devido"
        r"|потому|поскольку|из-за|чтобы|omdat|doordat|vanwege|wegens|zodat|aangezien|eftersom|därför att"
        r"|på grund a[vf]"
        r"|fordi|ponieważ|gdyż|z powodu|dlatego|protože|kvůli|тому що|оскільки|çünkü|nedeniyle|yüzünden|dolayı"
        r"|sebebiyle"
        r"|için|επειδή|λόγω|διότι|εξαιτίας|bởi|vì|nhằm|karena|sebab|akibat|لأن\w*|بسبب|نتيجة|لكي|نظرا|زیرا|به دلیل"
        r"|בגלל|משום|מכיוון|deoarece|pentru că|din cauza)\b"
        "|因为|由于|因此|ため|ので|때문|위해|위하여|เพราะ|เนื่องจาก|क्योंकि|कारण|वजह|चूंकि|ताकि",
        re.IGNORECASE,
    ),
}

VAGUE = re.compile(
    r"\b(?:numbers? of|amounts? of|anzahl|nombre de|número de|numero di|количеств\w+"
    r"|many|several|few|none|numerous|countless|dozens?|hundreds|thousands|various|multiple|vast|once|always|never"
    r"|often|rarely|seldom|mehrere\w*|viele\w*|keine?r?|wenige\w*|zahlreiche\w*|immer|oft|selten"
    r"|(?:ein|manch)mal|mehrmals|niemals|(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert|tausend|mehr"
    r"|viel)"
    r"(?:mal|fach(?:e[nrs]?)?)"
    r"|plusieurs|aucune?|quelques|souvent|jamais|varios|varias|muchos|muchas|ningun[oa]?|ningún|algunos"
    r"|alcuni|molti|molte|nessun\w*|vários|várias|muitos|muitas|nenhuma?"
    r"|много|многи\w+|нескольк\w+|множеств\w+|ни один|никогда|всегда|часто|редко)\b"
    r"|[几数多](?:[次个天]|年(?![轻龄级])|月(?![亮球光]))|没有|(?<!小)时(?=候|[，,、。；\s]|$)",
    re.IGNORECASE,
)
"""How many, how much, how often or when, in words."""
