"""Words that may say the same in languages other than English, by the stemmer's name: a list as short as the English,
and as there without words whose stem is that of another one (`crear`, `creer`; `parte`, `partir`).

Verbs and nouns by which people ask what a text says in other words: when somebody died, who won, where a thing lies.
"""

from __future__ import annotations

from collections.abc import Mapping

GROUPS: Mapping[str, str] = {
    "spanish": """
    fallecer morir, fundar crear establecer nacer, empezar comenzar iniciar, acabar terminar finalizar concluir,
    ganar vencer derrotar obtener conseguir, perder derrotar, premio galardón, vivir residir habitar, ubicar
    encontrar situar localizar, sede ubicación, trabajar laborar, trabajo obra proyecto labor, escribir redactar,
    libro obra, construir edificar erigir levantar, destruir demoler arrasar, nombrar designar, nombre llamar
    denominar, usar utilizar, comprar adquirir, vender ofrecer, empresa compañía firma sociedad, coche automóvil
    vehículo, gasolinera estación, petróleo crudo, dinero fondo capital, costar precio valor, subir aumentar crecer
    incrementar, bajar disminuir reducir descender, enorme grande, famoso conocido célebre, antiguo anterior previo,
    causa motivo razón, provocar causar originar ocasionar, permitir autorizar, prohibir impedir vetar, ayudar
    asistir apoyar, apoyar respaldar, atacar asaltar, guerra conflicto, batalla combate, ejército tropa, matar
    asesinar, rey monarca soberano, gobernar reinar, país nación estado, ciudad localidad urbe, pueblo población,
    habitante población residente, idioma lengua, religión fe, iglesia templo, escuela colegio, maestro profesor
    docente, médico doctor, enfermedad dolencia mal, curar sanar, investigar estudiar, estudio investigación,
    descubrir hallar encontrar, inventar crear diseñar, mostrar exhibir presentar, decir afirmar declarar señalar,
    pensar opinar considerar, enseñar instruir, aprender estudiar, cantar interpretar, actor intérprete, película
    filme, jugar disputar, equipo conjunto club, campeón ganador, jefe líder dirigente, dirigir encabezar liderar,
    director jefe, miembro integrante, formar componer constituir, incluir comprender contener, unir juntar conectar
    enlazar, dividir separar, cambiar modificar transformar, mejorar perfeccionar, evitar impedir, elegir escoger
    seleccionar, intentar procurar, lograr conseguir alcanzar, ocurrir suceder pasar acontecer, aparecer surgir,
    desaparecer extinguir, llegar alcanzar arribar, salir marchar, viajar desplazar, enviar mandar remitir, recibir
    obtener acoger, dar otorgar conceder entregar, quitar arrebatar retirar, tomar coger, mantener conservar,
    abandonar dejar, casar matrimonio boda, esposa mujer cónyuge, hijo descendiente, clase tipo, medir calcular
    estimar, peligro riesgo, barco buque nave, avión aeronave, carretera camino vía, norma regla ley, acuerdo pacto
    convenio, derecho ley, culpar acusar, detener arrestar, cárcel prisión, rico adinerado, pobre humilde, puesto
    cargo, oficio profesión empleo, papel función rol, preocupar inquietar, temer miedo, sucesor reemplazar
    sustituir, reemplazar sustituir, porcentaje proporción""",
    "french": """
    décéder mourir, fonder créer établir, commencer débuter entamer, finir terminer achever, gagner remporter
    vaincre battre, prix récompense, vivre habiter résider, situer trouver localiser, siège quartier, travail
    ouvrage projet, écrire rédiger composer, livre ouvrage, construire bâtir ériger, détruire démolir ravager,
    nommer désigner appeler, nom appeler, acheter acquérir, entreprise société compagnie firme, voiture automobile
    véhicule, argent somme, coûter prix valeur, augmenter croître, baisser diminuer réduire, célèbre connu réputé,
    ancien précédent, cause raison motif, causer provoquer entraîner, permettre autoriser, interdire empêcher
    prohiber, aider assister soutenir, soutenir appuyer, attaquer assaillir, guerre conflit, bataille combat, armée
    troupe, tuer assassiner, roi monarque souverain, gouverner régner, pays nation état, ville cité, habitant
    population résident, langue idiome, religion foi, école lycée, maître professeur enseignant, médecin docteur,
    maladie affection, soigner guérir, rechercher étudier, étude recherche, découvrir trouver, inventer concevoir,
    montrer présenter exposer, dire affirmer déclarer, penser croire estimer, enseigner instruire, chanter
    interpréter, acteur comédien, jouer interpréter, match rencontre, équipe club, champion vainqueur, chef
    dirigeant leader, diriger mener, membre adhérent, former composer constituer, comprendre inclure contenir,
    relier joindre unir, diviser séparer, changer modifier transformer, éviter empêcher, choisir sélectionner,
    essayer tenter, réussir parvenir, arriver survenir, apparaître surgir, envoyer expédier, recevoir obtenir,
    donner attribuer remettre, garder conserver, abandonner délaisser, épouser marier mariage, femme épouse, sorte
    type genre, mesurer calculer estimer, danger risque, bateau navire, avion appareil, route chemin voie, règle loi
    norme, accord pacte traité, accuser blâmer, arrêter interrompre cesser, prison détention, riche aisé, métier
    profession emploi, rôle fonction, remplacer succéder substituer, reléguer rétrograder""",
    "italian": """
    decedere morire, fondare creare istituire nascere, cominciare iniziare, finire terminare concludere, vincere
    battere sconfiggere ottenere, premio riconoscimento, vivere abitare risiedere, trovare situare ubicare, sede
    quartier, lavoro opera progetto, scrivere redigere comporre, libro opera, costruire edificare erigere,
    distruggere demolire, nominare designare, nome chiamare denominare, usare utilizzare, comprare acquistare,
    azienda società impresa ditta compagnia, macchina automobile veicolo auto, denaro soldi, costare prezzo valore,
    aumentare crescere salire, diminuire ridurre calare scendere, famoso noto celebre, antico precedente, causa
    motivo ragione, causare provocare, permettere consentire autorizzare, vietare proibire impedire, aiutare
    assistere sostenere, sostenere appoggiare, attaccare assalire, guerra conflitto, battaglia combattimento,
    esercito truppa, uccidere assassinare, re sovrano monarca, governare regnare, paese nazione stato, città centro,
    abitante popolazione residente, lingua idioma, religione fede, scuola istituto, maestro professore insegnante
    docente, studente alunno allievo, medico dottore, malattia affezione, curare guarire, studiare ricercare, studio
    ricerca, scoprire trovare, inventare ideare, mostrare esporre presentare, dire affermare dichiarare, pensare
    credere ritenere, insegnare istruire, cantare eseguire interpretare, giocare disputare, incontro gara, squadra
    club, campione vincitore, capo leader dirigente, dirigere guidare, membro componente, formare comporre
    costituire, comprendere includere contenere, unire collegare, dividere separare, cambiare modificare
    trasformare, evitare impedire, scegliere selezionare, tentare cercare provare, riuscire, accadere succedere
    avvenire, apparire comparire, mandare inviare spedire, ricevere ottenere, dare concedere assegnare, mantenere
    conservare, abolire chiudere eliminare, sposare matrimonio, moglie sposa, tipo genere sorta, misurare calcolare
    stimare, pericolo rischio, nave barca, aereo velivolo, strada via, regola legge norma, accordo patto trattato,
    accusare incolpare, arrestare fermare, prigione carcere, ricco agiato, mestiere professione impiego, ruolo
    funzione, sostituire rimpiazzare, distanza distare, percentuale quota""",
    "portuguese": """
    falecer morrer, fundar criar estabelecer, começar iniciar, acabar terminar concluir, ganhar vencer derrotar
    obter conquistar, prêmio galardão, viver morar residir habitar, ficar situar localizar, sede localização,
    trabalho obra projeto, escrever redigir, livro obra, construir edificar erguer, destruir demolir, nomear
    designar, nome chamar denominar, usar utilizar, comprar adquirir, empresa companhia firma sociedade, carro
    automóvel veículo, custar preço valor, subir aumentar crescer, diminuir reduzir baixar cair, famoso conhecido
    célebre, antigo anterior, atual presente, causa motivo razão, causar provocar, permitir autorizar, proibir
    impedir, ajudar auxiliar apoiar, atacar assaltar, guerra conflito, batalha combate, exército tropa, matar
    assassinar, rei monarca, governar reinar, país nação estado, cidade município, habitante população residente,
    língua idioma, religião fé, escola colégio, mestre professor docente, médico doutor, doença enfermidade, curar
    sarar, pesquisar estudar investigar, estudo pesquisa, descobrir encontrar achar, inventar criar, mostrar exibir
    apresentar, dizer afirmar declarar, pensar crer achar considerar, ensinar instruir, cantar interpretar, jogar
    disputar, equipe time clube equipa, campeão vencedor, chefe líder dirigente, dirigir liderar, membro integrante,
    formar compor constituir, incluir compreender conter, unir ligar juntar, dividir separar, mudar modificar
    alterar, evitar impedir, escolher selecionar, tentar procurar, conseguir alcançar, ocorrer acontecer suceder,
    aparecer surgir, enviar mandar, receber obter, dar conceder, manter conservar, casar casamento, esposa mulher,
    tipo espécie, medir calcular estimar, perigo risco, navio barco, avião aeronave, estrada caminho via, regra lei
    norma, acordo pacto tratado, acusar culpar, prender deter, prisão cadeia, rico abastado, profissão emprego,
    papel função, substituir suceder, percentagem porcentagem proporção""",
    "german": """
    gegründet gründung errichten entstehen, beginnen anfangen starten, enden aufhören, gewinnen siegen
    schlagen besiegen erhalten, verlieren unterliegen, preis auszeichnung, wohnen leben, liegen befinden, arbeit
    werk projekt, schreiben verfassen, autor verfasser schriftsteller, buch werk, bauen errichten, zerstören
    vernichten, ernennen bestimmen, heißen nennen bezeichnen, benutzen verwenden nutzen gebrauchen, kaufen erwerben,
    firma unternehmen gesellschaft, auto wagen fahrzeug, geld mittel, kosten preis, steigen zunehmen wachsen, sinken
    abnehmen fallen, verringern reduzieren senken, berühmt bekannt, früher ehemalig, heutig aktuell, verursachen
    bewirken führen, erlauben gestatten zulassen, verbieten untersagen, helfen unterstützen, angreifen überfallen,
    krieg konflikt, schlacht kampf, armee heer truppe, töten ermorden umbringen, könig herrscher monarch, regieren
    herrschen, land staat nation, stadt ort, einwohner bewohner bevölkerung, religion glaube, lehrer dozent, schüler
    student, arzt doktor, krankheit erkrankung, heilen kurieren, erforschen untersuchen, studie untersuchung
    forschung, entdecken finden, erfinden entwickeln, zeigen darstellen, sagen behaupten erklären, denken glauben
    meinen, lehren unterrichten, spielen antreten, spiel partie, mannschaft team verein, chef leiter anführer,
    leiten führen, mitglied angehöriger, enthalten umfassen beinhalten, bestehen umfassen, verbinden verknüpfen,
    ändern verändern, verhindern vermeiden, wählen auswählen, versuchen bemühen, erreichen erzielen, geschehen
    passieren ereignen, erscheinen auftreten, verlassen abreisen, schicken senden, bekommen erhalten, geben
    verleihen gewähren, behalten bewahren, heiraten ehe hochzeit, ehefrau gattin, teil abschnitt, art sorte typ,
    messen berechnen schätzen, gefahr risiko, schiff boot, flugzeug maschine, straße weg, regel gesetz vorschrift,
    abkommen vertrag vereinbarung, beschuldigen anklagen, verhaften festnehmen, gefängnis haft, reich wohlhabend,
    beruf tätigkeit, rolle funktion, ersetzen ablösen, anteil prozent, größe umfang, schnell rasch, oft häufig,
    genau exakt, ungefähr etwa, hauptsächlich vorwiegend, gesamt ganz, eigenschaft merkmal, folge auswirkung, angst
    furcht, furcht sorge, fordern verlangen, ablehnen verweigern""",
    "russian": """
    основать создать учредить, начать начаться приступить, закончить завершить окончить, выиграть победить, победить
    разгромить, проиграть уступить, премия награда приз, жить проживать обитать, находиться расположен
    располагаться, работа труд проект, написать сочинить, автор писатель, книга произведение, построить возвести
    соорудить, разрушить уничтожить, назначить назвать, называть именовать, использовать применять употреблять,
    купить приобрести, компания фирма предприятие, автомобиль машина, деньги средства, стоить цена стоимость, расти
    увеличиться повыситься, снизиться уменьшиться сократиться, уменьшить снизить сократить, известный знаменитый,
    бывший прежний, нынешний современный, причина повод, вызвать привести, разрешить позволить, запретить запрещать,
    помочь поддержать, напасть атаковать, война конфликт, битва сражение бой, армия войско, убить казнить, король
    монарх правитель, страна государство нация, город населённый, житель население, язык наречие, религия вера,
    учитель преподаватель педагог, ученик студент, врач доктор, болезнь заболевание, лечить исцелять, изучать
    исследовать, исследование изучение, открыть обнаружить, изобрести придумать разработать, показать
    продемонстрировать, сказать заявить утверждать, думать считать полагать, учить преподавать обучать, петь
    исполнить спеть, играть сыграть, матч игра встреча, команда клуб, глава лидер руководитель, руководить
    возглавлять, член участник, содержать включать, состоять включать, соединить связать, разделить отделить,
    изменить преобразовать, избежать предотвратить, выбрать избрать, попытаться стараться, достичь добиться,
    произойти случиться, появиться возникнуть, покинуть оставить уехать, послать отправить, получить приобрести,
    дать предоставить вручить, сохранить удержать, брак свадьба, жена супруга, часть доля, вид тип род, измерить
    рассчитать оценить, опасность риск, корабль судно, самолёт лайнер, дорога путь шоссе, правило закон норма,
    соглашение договор пакт, обвинить упрекнуть, арестовать задержать, тюрьма заключение, богатый состоятельный,
    профессия занятие должность, роль функция, заменить сменить, процент доля, размер величина, быстро скоро,
    примерно около приблизительно, свойство особенность, последствие результат итог""",
    "dutch": """
    overlijden sterven, oprichten stichten, beginnen starten, eindigen stoppen, winnen verslaan, prijs
    onderscheiding, wonen leven, liggen bevinden, werk project, schrijver auteur, boek werk, bouwen oprichten,
    vernietigen verwoesten, benoemen aanwijzen, heten noemen, gebruiken benutten, kopen aanschaffen, bedrijf
    onderneming firma, auto wagen voertuig, kosten prijs, stijgen toenemen groeien, dalen afnemen, verminderen
    verlagen, beroemd bekend, voormalig vroeger, oorzaak reden, veroorzaken leiden, toestaan mogen, helpen steunen,
    aanvallen bestormen, oorlog conflict, slag gevecht, leger troepen, doden vermoorden, koning vorst heerser, land
    staat natie, inwoner bevolking, godsdienst geloof religie, leraar docent, leerling student, arts dokter, ziekte
    aandoening, onderzoek studie, ontdekken vinden, uitvinden bedenken, tonen laten, zeggen beweren verklaren,
    denken geloven, wedstrijd spel, ploeg team club, leider hoofd, lid deelnemer, bevatten omvatten, verbinden
    koppelen, veranderen wijzigen, voorkomen vermijden, kiezen selecteren, gebeuren plaatsvinden, verschijnen
    opkomen, sturen zenden, krijgen ontvangen, geven verlenen, huwelijk trouwen, deel gedeelte, soort type, gevaar
    risico, schip boot, regel wet, overeenkomst verdrag, beroep baan, rol functie, vervangen opvolgen""",
}
