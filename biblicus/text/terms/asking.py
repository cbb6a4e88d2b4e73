"""Stop words of questions in languages other than English that the engine's lists lack.

They are interrogatives, auxiliaries and modals, `own`, `other`, and frequent verbs such as `do` and `exist`; where the
engine has no list, also articles, prepositions and conjunctions. Entries are lower case, unstemmed, with accents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

HOW_LARGE = (
    r"(?<![很许更最众诸伦])多[长大高远](?=时间|程度|范围|数量|年[纪龄]|岁|\W|$)"
    r"|(?<=[有是了要])多[长大高远](?![山楼学])"
)
"""Chinese questions about length, size, height or distance, but not inside names (`多伦多大学`)."""

WORDS: Mapping[str, str] = {
    "danish": """
        hvordan hvad hvem hvis hvilke hvilken hvilket hvor hvornår hvorfor hvorhen hvormed kan kunne skal skulle bør må
        måtte vil ville får gør gøre gjort gjorde er være været bliver blev blevet har haft findes egen eget egne selv
        om anden andet andre""",
    "dutch": """
        hoe wat wie wiens waar wanneer waarom waarvoor waarmee waarin waaruit waarheen welk welke hoeveel kan kunnen
        kunt kon mag moet moeten moest zou zouden wil willen doe doen doet deed gedaan gaat wordt worden werd werden is
        zijn bestaat eigen zelf als of ander andere gebeurt gebeuren""",
    "finnish": """
        miten kuinka mikä mitä mitkä missä mistä mihin minne kuka kenen ketä ketkä milloin koska miksi montako paljonko
        voi voin voiko voivat pitää täytyy saa tehdä teen tekee tehdään on ovat olla oli olivat oma omat oman jos muu
        muut toinen""",
    "french": """
        comment combien pourquoi quand quel quelle quels quelles qui que quoi dont où lequel laquelle lesquels
        lesquelles auquel duquel est été était étaient être sont soit suis a ai as ont avait avoir peut peuvent peux
        puis pouvoir pourrait dois doit doivent devoir devrait faut faire fais fait faite faites font si son sa ses mon
        ma mes ton ta tes leur leurs propre propres même entre autre autres t il elle on y existe chaque""",
    "german": """
        wer wie wo was wann warum wieso weshalb wozu wofür wohin woher womit wodurch woran worin worauf wovon worüber
        welche welchem welchen welcher welches kann kannst können könnte könnten muss muß musst müssen müsste soll
        sollen sollst sollte sollten darf darfst dürfen dürfte möchte möchten will wollen mag mögen tun tut getan mache
        machen machst macht gemacht wurde wurden worden wird werde werden wirst dass daß wenn ob gibt eigen eigene
        eigenem eigenen eigener eigenes selbst selber passiert passieren geschieht geschehen""",
    "hungarian": """
        hogyan hogy miként mi mit mik miket milyen melyik melyek ki kit kik mikor miért hol hová hova honnan mennyi
        hány mire mivel lehet lehetséges kell kellene tud tudok tudom tudja csinál van vannak volt voltak lesz saját
        másik más""",
    "italian": """
        come cosa che chi quale quali quando quanto quanta quanti quante dove perché perche cui posso può possono
        potrebbe potere devo deve devono dovrebbe dovere fare faccio fa fanno fatto è sono essere stato stata stati
        viene vengono esiste esistono proprio propria propri proprie stesso stessa se altro altra altri altre
        succede succederà accade""",
    "norwegian": """
        hvordan hva hvem hvis hvilke hvilken hvilket hvor når hvorfor hvorhen kan kunne skal skulle bør må måtte vil
        ville får gjør gjøre gjort gjorde er være vært blir ble blitt har hatt finnes egen eget egne selv om annen
        annet andre""",
    "portuguese": """
        como o que qual quais quem quando quanto quanta quantos quantas onde aonde porque porquê posso pode podem
        poderia poder devo deve devem deveria dever faço faz fazem fazer feito é são ser foi foram sido está estão há
        existe existem próprio própria próprios próprias mesmo mesma se outro outra outros outras
        acontece acontecerá ocorre""",
    "russian": """
        как какой какая какое какие каком какого какому каким какими какую каких кто кого кому кем чем чём что чего
        чему где куда откуда когда почему зачем отчего сколько чей чья чьё чьи который которая которое которые которого
        которой которых ли можно нужно нужен нужна нужны надо следует должен должна должно должны могу может могут мочь
        мог делать делает делают сделать такой такая такое такие есть был была было были быть будет является являются
        свой своя своё свои своего своей своих собственный собственная собственное собственные собственного это
        каков какова каково каковы насколько скольких скольким сколькими чье чьего чьей чьих чьим назовите приведите
        укажите опишите объясните расскажите зовут звали произойдет произойдёт происходит случится""",
    "spanish": """
        cómo qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde adónde porqué como cual cuales
        cuando cuanto donde quien si debo debe deben debería deberían deber puedo puede pueden podría podrían poder hay
        haber habrá hacer hago hace hacen haga hecho ser es son soy sido fue fueron está están existe existen mismo
        misma mismos mismas propio propia propios propias otro otra otros otras
        pasa pasaría ocurre ocurrirá sucede""",
    "swedish": """
        hur vad vem vems vilka vilken vilket var vart varifrån när varför varmed kan kunde ska skall skulle bör måste
        får vill ville gör göra gjort gjorde är vara varit blir blev blivit har haft finns egen eget egna själv om
        annan annat andra""",
    "greek": """
        πώς πως τι ποιος ποια ποιο ποιοι ποιες ποιον ποιαν ποιων πού που πότε γιατί πόσο πόση πόσα πόσοι πόσες ο η το οι
        τα του της των τον την τους τις και κι ή να θα δε δεν μη μην σε στο στη στην στον στους στις στα με από για προς
        κατά μετά παρά ως ότι αν όταν ένας μια μία ένα είναι ήταν έχει έχουν είχε είχαν μπορώ μπορεί μπορούν πρέπει
        υπάρχει υπάρχουν μου σου μας σας αυτό αυτή αυτός αυτά""",
    "romanian": """
        cum ce cine cui care când unde de cât câtă câți câte și şi sau dar dacă că să a al ai ale la în din pe cu pentru
        prin despre către spre un o unei unui niște este e sunt era erau fi fost fiind are au avea pot poate putea
        puteți trebuie face fac făcut există se s își îi îl lui ei lor acest această aceste acești propriu proprie""",
    "turkish": """
        nasıl ne nedir nedeni neden niçin niye kim kime kimin kimdir kimler nerede nereden nereye nerededir hangi
        hangisi hangileri kaç kaçtır kadar mi mı mu mü için ile ve veya ya da de bir bu şu o olan olarak oldu olduğu
        olur var yok gibi daha en çok her yapılır yapmak yapıyor eder edilir kendi""",
    "pl": """
        jak co czym kto kogo komu kim gdzie skąd dokąd kiedy dlaczego czemu po ile czy jaki jaka jakie jakich jakim jaką
        który która które których którym którą się w we z ze na do i oraz a o od dla przez przy za że żeby to ten ta te
        tego tej tych jest są być był była było były można mogę może mogą powinien powinna należy trzeba jako lub albo
        ale nie mój moja moje swój swoje własny własne""",
    "cs": """
        jak co čím kdo koho komu kým kde odkud kam kdy proč kolik zda jaký jaká jaké jakých který která které kterých
        kterou se si v ve z ze na do a i o od pro při za že aby to ten ta ty toho té těch je jsou být byl byla bylo byly
        lze mohu může mohou musí mám má jako nebo ale ne můj moje svůj své vlastní""",
    "uk": """
        як що чим чого хто кого кому ким де звідки куди коли чому навіщо скільки чи який яка яке які яких яким якого
        якій в у з із зі на до і й та а о від для при за щоб це цей ця ці цього можна можу може можуть треба потрібно
        слід є був була було були бути або але не мій моя свій своє власний""",
    "hi": """
        क क्या क्यों यों कौन कौनसा कौनसी कैसे कैसा कैसी कब कहाँ कहां कितना कितने कितनी किस किसने किसका किसकी किसके किसे किन का
        की के को में से पर ने और या यह वह ये वे है हैं था थे थी हो होता होती होते कर करना करें करता करते एक इस उस भी ही तो
        लिए सकता सकते सकती""",
    "ca": """
        com què qui quin quina quins quines quan on quant quants el la els les un una i o de del dels a al als en per
        amb que és són ser puc pot poden he ha han hi cal fer faig fa meu meva propi pròpia si""",
    "id": """
        apa apakah siapa siapakah bagaimana bagaimanakah kapan mengapa kenapa berapa mana dimana manakah yang dan di ke
        dari untuk dengan pada dalam ini itu adalah ialah akan bisa dapat harus saya atau sebuah suatu oleh tidak
        ada""",
    "vietnamese": """
        là gì như thế nào ở đâu khi nào tại sao vì ai bao nhiêu của và các những một được trong có cho với đến để
        này đó đã sẽ đang thì mà bởi về cái làm nên phải thể vậy""",
}
"""Stop words by the stemmer's name, or by ISO 639-1 code if there is no stemmer."""

UNSPACED = re.compile(
    "为什么|什么时候|什么样|什么|如何|怎么样|怎么办|怎么|怎样|在哪(?![一二两三几些个種种位名类吒怕里儿])|"
    r"在?哪(?:里|儿|[一二两三几]?[些个種种位名类家支场部项所座条款句段首届年月天国块份幅]|一|(?!\w))|"
    rf"多少|多久|{HOW_LARGE}|"
    "几个|何时|何地|何处|"
    "为何|是否|能否|可否|可以|应该|能够|请问|谁|吗|呢|"
    "為什麼|什麼時候|什麼樣|什麼|怎麼樣|怎麼辦|怎麼|怎樣|哪個|哪種|哪裡|幾個|何時|何處|為何|應該|能夠|請問|誰|嗎|"
    "どのように|どうやって|どうすれば|どうして|どのくらい|どこで|どこに|どこ|どんな|どれ|どの|なぜ|いつ|いくつ|いくら|だれ|"
    "何ですか|できますか|ですか|ますか|とは|するには|"
    r"(?:(?<=[\w)])(?:이?란|은|는)\s+)?(?:무엇|뭐)(?:입니까|인가요?|이다|예요|을|이)?|(?<=\w)이란(?=\s*\?|\s*$)|"
    r"(?<=[가-힣])(?:(?:입|습|합|됩)니까|나요|까요)(?=\s*\?|\s*$)|"
    "어떻게|언제|어디에서|어디서|어디에|어디|누가|누구|왜|어느|어떤|얼마나|"
    "อย่างไร|อะไร|ที่ไหน|เมื่อไหร่|เมื่อใด|ทำไม|เท่าไร|เท่าไหร่|ใคร|ไหน"
)
"""Stop words of Chinese, Japanese, Korean and Thai, which are joined to other words."""
