import { computed, effect, signal } from '@preact/signals'
import { described, shownModel } from '../../state/results/class-profiles.ts'
import type { LabelPlace } from '../../state/results/label-figures.ts'

/** What is brought forward: what is pointed at, and else what was chosen by a click, a tap or a key. */

const pointedClass = signal<number | null>(null)
export const pinnedClass = signal<number | null>(null)
const pointedLabel = signal<LabelPlace | null>(null)
export const pinnedLabel = signal<LabelPlace | null>(null)

export const highlightedClass = computed(() => pointedClass.value ?? pinnedClass.value)
export const highlightedLabel = computed(() => pointedLabel.value ?? pinnedLabel.value)

export const pointAtClass = (k: number | null): void => {
  pointedClass.value = k
}

export const pinClass = (k: number): void => {
  pinnedClass.value = pinnedClass.peek() === k ? null : k
  pointedClass.value = null
}

const same = (a: LabelPlace | null, b: LabelPlace | null): boolean => a?.mode === b?.mode && a?.label === b?.label

export const pointAtLabel = (place: LabelPlace | null): void => {
  if (!same(place, pointedLabel.peek())) pointedLabel.value = place
}

export const pinLabel = (place: LabelPlace): void => {
  pinnedLabel.value = same(pinnedLabel.peek(), place) ? null : place
  pointedLabel.value = null
}

export const clearHighlight = (): void => {
  for (const each of [pointedClass, pinnedClass, pointedLabel, pinnedLabel]) each.value = null
}

/** What classes and labels are counted of: a change of names leaves it. */
const counted = computed(() => shownModel.value?.rank)

// Another model has other classes.
effect(() => {
  counted.value
  described.value
  clearHighlight()
})

/** How far the other classes step back. */
const FADED = 0.16

/** A style sheet of its own fades them wherever they are drawn, also in what is drawn later. */
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets.push(sheet)
effect(() => {
  const k = highlightedClass.value
  sheet.replaceSync(
    k === null
      ? ''
      : `.results .chart [data-class]:not([data-class="${k}"]), .results .fades[data-class]:not([data-class="${k}"]) { opacity: ${FADED} }`,
  )
})

/** Follows the pointer over an element with charts, whose marks say what they stand for. */
export const followPointer = (
  element: HTMLElement,
  labelAt: (mode: number, label: number) => LabelPlace | null,
): (() => void) => {
  const found = (target: EventTarget | null) => {
    const near = target as Element | null
    const at = (key: 'class' | 'mode' | 'label') => near?.closest(`[data-${key}]`)?.getAttribute(`data-${key}`) ?? null
    const [k, mode, label] = [at('class'), at('mode'), at('label')]
    return {
      k: k === null ? null : Number(k),
      place: mode === null || label === null ? null : labelAt(Number(mode), Number(label)),
    }
  }
  const over = ({ target, pointerType }: PointerEvent) => {
    // A finger does not point: it taps.
    if (pointerType === 'touch') return
    const { k, place } = found(target)
    pointAtClass(k)
    if (place !== null) pointAtLabel(place)
  }
  const leave = () => {
    pointAtClass(null)
    pointAtLabel(null)
  }
  const press = ({ target }: MouseEvent) => {
    const { k, place } = found(target)
    if (place !== null) pinLabel(place)
    else if (k !== null) pinClass(k)
  }
  element.addEventListener('pointerover', over)
  element.addEventListener('pointerleave', leave)
  element.addEventListener('click', press)
  return () => {
    element.removeEventListener('pointerover', over)
    element.removeEventListener('pointerleave', leave)
    element.removeEventListener('click', press)
  }
}
