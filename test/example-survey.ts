/** A survey of 1000 people: two classes, as examples name them. */
export const survey = `age,vote,trust,n
18–29,none,low,136
18–29,none,middle,71
18–29,none,high,30
18–29,yes,low,44
18–29,yes,middle,49
18–29,yes,high,70
30+,none,low,62
30+,none,middle,43
30+,none,high,38
30+,yes,low,58
30+,yes,middle,137
30+,yes,high,262
`

export const rows = survey.trim().split('\n').slice(1).map(line => {
  const [age, vote, trust, n] = line.split(',')
  return { age, vote, trust, n: Number(n) }
}) // biome-ignore format: one chain
