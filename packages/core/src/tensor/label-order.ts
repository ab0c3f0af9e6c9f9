/** The order that labels state themselves, which in data are sorted as texts: what they say of it, and never the alphabet. */

type Place = (label: string) => number

const CALENDAR = [
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
  ],
]

/** Answers from the least to the most; what stands between commas is said in the same place. English, German, Spanish, French. */
const SCALES = [
  'never|almost never,hardly ever,very rarely,very seldom|rarely,seldom|occasionally|sometimes|often,frequently|usually,very often,very frequently,most of the time|almost always,nearly always|always,all of the time',
  'never|less than once a year|yearly,annually,once a year|several times a year,a few times a year|monthly,once a month|several times a month,a few times a month|weekly,once a week|several times a week,a few times a week|daily,every day,once a day|several times a day',
  'strongly disagree,disagree strongly,completely disagree,totally disagree|disagree,mostly disagree|somewhat disagree,slightly disagree,tend to disagree,disagree somewhat|neither,neutral,undecided,neither agree nor disagree,neither disagree nor agree|somewhat agree,slightly agree,tend to agree,agree somewhat|agree,mostly agree|strongly agree,agree strongly,completely agree,totally agree',
  'strongly oppose|oppose|somewhat oppose|neither,neutral,neither support nor oppose|somewhat support,somewhat favor,somewhat favour|support,favor,favour|strongly support,strongly favor,strongly favour',
  'very dissatisfied,very unsatisfied|dissatisfied,unsatisfied|somewhat dissatisfied,slightly dissatisfied|neither,neutral,neither satisfied nor dissatisfied|somewhat satisfied,slightly satisfied|satisfied|very satisfied',
  'very unlikely,extremely unlikely|unlikely|somewhat unlikely|neither,neutral,neither likely nor unlikely|somewhat likely|likely|very likely,extremely likely',
  'very difficult|difficult|neither,neutral,neither easy nor difficult|easy|very easy',
  'very unhappy|unhappy,not too happy,not very happy|neither,neutral|happy,pretty happy,fairly happy,quite happy|very happy',
  'not at all important|not important,unimportant,not very important|slightly important|somewhat important,moderately important|important|very important|extremely important',
  'not at all interested|not very interested,hardly interested|somewhat interested,moderately interested|quite interested,fairly interested|very interested',
  'not at all satisfied|not very satisfied|fairly satisfied|very satisfied',
  'not at all worried,not worried at all|not very worried|somewhat worried|very worried|extremely worried',
  'not well at all,not at all well|not too well,not very well|somewhat well|quite well,pretty well|very well|extremely well',
  'no trust at all,no trust|not very much trust,little trust|some trust|quite a lot of trust|a lot of trust,a great deal of trust,complete trust',
  'none|very low|low|rather low|medium,moderate,middle,average|rather high|high|very high',
  'very bad,very poor,terrible|bad,poor|fair,average,acceptable|good|very good|excellent',
  'not at all|a little,a little bit,slightly,not very much|somewhat,moderately|quite a bit,quite a lot|very,very much,a lot|extremely',
  'none,none at all|hardly any,very little|only some,some,a little|quite a lot|a great deal,a lot',
  'much worse|worse|slightly worse,a little worse|same,the same,about the same,unchanged|slightly better,a little better|better|much better',
  'much less|less|same,the same,about the same|more|much more',
  'decreased,fell|same,unchanged|increased,rose',
  'very small,extra small|small|medium|large|very large,extra large',
  'xs|s|m|l|xl|xxl',
  'nie,niemals|fast nie,sehr selten|selten|gelegentlich,hin und wieder|manchmal|oft,häufig|meistens,sehr oft,sehr häufig|fast immer|immer',
  'stimme überhaupt nicht zu,stimme gar nicht zu,lehne stark ab,stimme nicht zu|stimme eher nicht zu,lehne eher ab|teils teils,teils/teils,weder noch,neutral,unentschieden|stimme eher zu|stimme zu|stimme voll und ganz zu,stimme voll zu,stimme völlig zu,stimme stark zu',
  'trifft überhaupt nicht zu,trifft gar nicht zu,trifft nicht zu|trifft eher nicht zu,trifft kaum zu|teils teils,teils/teils,weder noch|trifft eher zu|trifft zu|trifft voll und ganz zu,trifft voll zu,trifft völlig zu,trifft genau zu',
  'sehr unzufrieden|unzufrieden|eher unzufrieden|teils teils,teils/teils,weder noch,neutral|eher zufrieden|zufrieden|sehr zufrieden',
  'überhaupt nicht wichtig,gar nicht wichtig,sehr unwichtig|unwichtig,nicht wichtig|eher unwichtig|teils teils,teils/teils|eher wichtig|wichtig|sehr wichtig|äußerst wichtig',
  'überhaupt nicht,gar nicht|wenig,kaum|etwas|mittelmäßig,mäßig|ziemlich,eher stark|stark,sehr,sehr stark|äußerst,voll und ganz',
  'sehr niedrig,sehr gering|niedrig,gering|mittel|hoch|sehr hoch',
  'sehr schlecht|schlecht|eher schlecht|mittelmäßig,teils teils,teils/teils|eher gut|gut|sehr gut',
  'viel schlechter|schlechter|gleich,unverändert|besser|viel besser',
  'nunca|casi nunca|raramente,rara vez,pocas veces|de vez en cuando,ocasionalmente|a veces,algunas veces|a menudo,con frecuencia,frecuentemente,muchas veces|casi siempre|siempre',
  'muy en desacuerdo,totalmente en desacuerdo,completamente en desacuerdo|en desacuerdo|algo en desacuerdo|ni de acuerdo ni en desacuerdo,neutral,indeciso|algo de acuerdo|de acuerdo|muy de acuerdo,totalmente de acuerdo,completamente de acuerdo',
  'muy insatisfecho,muy insatisfecha|insatisfecho,insatisfecha,poco satisfecho,poco satisfecha|ni satisfecho ni insatisfecho,neutral|algo satisfecho,algo satisfecha|satisfecho,satisfecha|muy satisfecho,muy satisfecha',
  'nada importante|poco importante|algo importante|importante|bastante importante|muy importante',
  'nada|poco,un poco|algo,regular|bastante|mucho',
  'muy bajo,muy baja|bajo,baja|medio,media|alto,alta|muy alto,muy alta',
  'muy malo,muy mala,muy mal|malo,mala,mal|regular|bueno,buena,bien|muy bueno,muy buena,muy bien|excelente',
  'mucho peor|peor|igual|mejor|mucho mejor',
  'jamais|presque jamais|rarement|de temps en temps,occasionnellement|parfois,quelquefois|souvent|très souvent,la plupart du temps|presque toujours|toujours',
  "pas du tout d'accord,tout à fait en désaccord,fortement en désaccord|pas d'accord,en désaccord|plutôt pas d'accord,plutôt en désaccord|ni d'accord ni pas d'accord,ni en accord ni en désaccord,neutre|plutôt d'accord|d'accord|tout à fait d'accord,fortement d'accord",
  'très insatisfait,très insatisfaite,pas du tout satisfait,pas du tout satisfaite|insatisfait,insatisfaite,peu satisfait,peu satisfaite|plutôt insatisfait,plutôt insatisfaite|ni satisfait ni insatisfait,neutre|plutôt satisfait,plutôt satisfaite,assez satisfait,assez satisfaite|satisfait,satisfaite|très satisfait,très satisfaite',
  'pas du tout important,pas du tout importante|peu important,peu importante|assez important,assez importante|important,importante|très important,très importante',
  'pas du tout|un peu,peu|moyennement,assez|beaucoup|énormément,extrêmement',
  'très faible,très bas|faible,bas|moyen,moyenne|élevé,élevée,haut|très élevé,très élevée,très haut',
  'très mauvais,très mauvaise,très mal|mauvais,mauvaise,mal|moyen,moyenne,passable|bon,bonne,bien|très bon,très bonne,très bien|excellent,excellente',
  'beaucoup moins bien,bien pire|moins bien,pire|pareil,identique|mieux|beaucoup mieux',
].map(scale => scale.split('|').map(place => place.split(',')))

/** Where labels stand by the first of the rules that knows them all, each in a place of its own. */
const placesBy = (labels: readonly string[], rules: readonly Place[]): number[] | undefined => {
  for (const rule of rules) {
    const places = labels.map(rule)
    if (places.every(Number.isFinite) && new Set(places).size === places.length) return places
  }
  return undefined
}

const TIMES: readonly Place[] = [
  label => (label.trim() === '' ? Number.NaN : Number(label)),
  label => (/^\d{4}-\d\d/.test(label) ? Date.parse(label) : Number.NaN),
  ...CALENDAR.map(
    (names): Place =>
      label => {
        const at = label.length < 3 ? -1 : names.findIndex(name => name.startsWith(label.toLowerCase()))
        return at < 0 ? Number.NaN : at
      },
  ),
]

/**
 * Whether labels are times: numbers, dates, days of the week or months.
 * @example
 * areTimes(['Mon', 'Sun']) // true
 */
export const areTimes = (labels: readonly string[]): boolean => placesBy(labels, TIMES) !== undefined

const BELOW = /^(?:[<≤]=?|under|below|less than|up to|unter|bis)\s*/
const ABOVE = /^(?:[>≥]=?|over|above|more than|at least|über|ab)\s*/

/** The number that a label begins with (18–29, 65+, under 18, 2 = agree); units must be the same in all. */
const leading = (labels: readonly string[]): Place => {
  const parts = labels.map(label => {
    const plain = label.trim().toLowerCase()
    const [, digits, unit] =
      /^[([$€£]*\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:[.,]\d+)?)(?:st|nd|rd|th)?(\p{L}*)/u.exec(
        plain.replace(BELOW, '').replace(ABOVE, ''),
      ) ?? []
    if (digits === undefined) return { value: Number.NaN, unit: '' }
    const value = Number(/,\d{3}(?!\d)/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.'))
    // Under 18 comes before 18 to 29, and over 65 after 65.
    const side = BELOW.test(plain) ? -1 : ABOVE.test(plain) ? 1 : 0
    return { value: value + side * 1e-9 * Math.max(1, Math.abs(value)), unit }
  })
  const alike = new Set(parts.map(({ unit }) => unit)).size === 1
  return label => (alike ? parts[labels.indexOf(label)].value : Number.NaN)
}

const plainWords = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[-_\s]+/g, ' ')
    .replace(/’/g, "'")
    .replace(/[.!]|\([^)]*\)/g, '')
    .trim()

/** The place of every answer of a scale; of an answer that is there twice, the first. */
const SCALE_PLACES = SCALES.map(
  scale => new Map(scale.flatMap((place, at) => place.map(answer => [answer, at] as const)).reverse()),
)

/** A rule for each scale. What a label says is worked out once for all of them. */
const scaleRules = (labels: readonly string[]): readonly Place[] => {
  const answers = new Map(labels.map(label => [label, plainWords(label)]))
  return SCALE_PLACES.map(places => label => places.get(answers.get(label) ?? '') ?? Number.NaN)
}

/**
 * The positions of labels in the order that they state: times, numbers at their beginning, the answers of usual scales in English, German,
 * Spanish and French. Undefined where they state none.
 * @example
 * statedOrder(['high', 'low', 'medium']) // [1, 2, 0]
 * statedOrder(['cat', 'dog', 'fish']) // undefined
 */
export const statedOrder = (labels: readonly string[]): number[] | undefined => {
  const places = placesBy(labels, [...TIMES, leading(labels), ...scaleRules(labels)])
  return places && [...labels.keys()].sort((a, b) => places[a] - places[b])
}
