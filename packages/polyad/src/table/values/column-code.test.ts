import { describe, expect, it } from 'vitest'
import { columnCode, namesColumns, orderText } from './column-code.ts'

describe('columns before their codes', () => {
  it.each([
    ['trust0:8,9', true],
    ['"a:b":8', true],
    ['a\nb:1', true],
    ['"12:30",99', false],
    ['"say ""12:30"" twice",99', false],
    ['x,"12:30"', false],
    [':8', false],
    ['8,9', false],
    ['', false],
  ])('%j names columns: %j', (text, names) => expect(namesColumns(text)).toBe(names))
})

describe('options as they are written', () => {
  it.each([
    ['q1', ['low', 'high'], 'q1=low,high'],
    ['how often', ['now and then', 'x=y'], 'how often=now and then,x=y'],
    ['a=b', ['x,y', ' z'], '"a=b"="x,y"," z"'],
    ['a,b', ['1'], '"a,b"=1'],
    ['q*', ['1'], '"q*"=1'],
    ['a"b', ['say "x"'], '"a""b"="say ""x"""'],
    [' a', ['1'], '" a"=1'],
    ['a ', ['1'], '"a "=1'],
    ['a:b', ['1'], 'a:b=1'],
  ])('the order of %j', (name, categories, text) => expect(orderText(name, categories)).toBe(text))

  it.each([
    ['trust', ['8', '9'], 'trust:8,9'],
    ['how often', ["don't know"], "how often:don't know"],
    ['a:b', ['x,y', 'z '], '"a:b":"x,y","z "'],
    ['a,b', ['1'], '"a,b":1'],
    ['q*', ['1'], '"q*":1'],
    ['a"b', ['1'], '"a""b":1'],
    ['\ta', ['1'], '"\ta":1'],
    ['a ', ['1'], '"a ":1'],
    ['a=b', ['1'], 'a=b:1'],
  ])('the codes of %j', (name, codes, text) => expect(columnCode(name, codes)).toBe(text))
})
