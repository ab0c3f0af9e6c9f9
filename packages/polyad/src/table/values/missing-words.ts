/** Words that stand for missing in the files of many programs and surveys. */
const WORDS = new RegExp(
  `^(${[
    '#?n/?a',
    'n\\.a\\.?',
    '#n/a',
    'nan?',
    'null',
    '\\.[a-z]?',
    '\\?+',
    '-+',
    '\\*+',
    'missing',
    'unknown',
    'refused|refusal|(prefer not|declined) to (say|answer)',
    'don.?t know|do not know|dk|dk/na|d\\.k\\.',
    'no (answer|response)|not (asked|applicable|available|answered|stated|ascertained)',
    'k\\. ?a\\.?|keine (angabe|antwort)|wei(ß|ss) nicht|(antwort )?verweigert',
    '(je )?ne sai[st] pas|nsp|ne se prononce pas|refus(e de repondre)?|(sans|pas de|non) ?-?reponse|ne (souhaite|veut|peut) pas (repondre|se prononcer)|sans objet',
    'no se|no sabe|no contesta|no responde|ns ?/ ?n[cr]|sin respuesta|rehus(a|o)( contestar| responder)?|no aplica|no procede',
    'nao sei|nao sabe|nao respond(e|eu)|sem resposta|recus(a|ou)(-se)?|nao se aplica',
    'non so|non sa|non risponde|nessuna risposta|senza risposta|rifiut(a|o)( di rispondere)?|non applicabile',
    'weet (ik )?niet|geen (antwoord|opgave)|weiger(t|de)|geweigerd|wil niet (zeggen|antwoorden)|n\\.?v\\.?t\\.?|niet van toepassing',
    'nie wiem|trudno powiedziec|odmowa( odpowiedzi)?|brak (odpowiedzi|danych)|nie dotyczy',
  ].join('|')})$`,
  'i',
)

/** Without accents: survey programs drop them as often as not. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ł/gi, 'l').trim()

/** Whether a text is a word that stands for missing, or several such as "don't know / refused". */
export const isMissingWord = (text: string): boolean => {
  const word = plain(text)
  return WORDS.test(word) || (word.includes('/') && word.split('/').every(part => WORDS.test(part.trim())))
}
