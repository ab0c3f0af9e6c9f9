import { intervalText } from '@polyad/core/model'
import { numberedName } from 'polyad/report'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ClassMark } from '../../components/class-mark.tsx'
import { fixed, percent } from '../../components/numbers.ts'
import { chosenLabels } from '../../state/results/chosen.ts'
import { contrast, LEAST_CONTRAST, placeColour, THEME_COLOURS } from '../../state/results/class-places.ts'
import {
  nameFault,
  recolourClass,
  renameClass,
  type ShownClass,
  type ShownModel,
} from '../../state/results/class-profiles.ts'
import { highlightedClass, pointAtClass } from './highlight.ts'

/** Letters of a name that a card has room for in one line. */
const LINE = 20
/** Marks that a card tells. */
const TOLD = 3

/** The classes: what they are called, how large they are, their colours, and what sets them apart. */
export const ClassCards = ({ model }: { readonly model: ShownModel }) => (
  <ul class="class-cards" aria-label="Classes">
    {model.classes.map(each => (
      <Card key={`${model.rank} ${each.k}`} model={model} own={each} />
    ))}
  </ul>
)

interface Props {
  readonly model: ShownModel
  readonly own: ShownClass
}

const Card = ({ model, own }: Props) => {
  const { k, share, marks, colour } = own
  return (
    <li
      class={`class-card${highlightedClass.value === k ? ' front' : ''}`}
      style={{ '--colour': colour }}
      onPointerEnter={event => event.pointerType !== 'touch' && pointAtClass(k)}
      onPointerLeave={() => pointAtClass(null)}
    >
      <div class="card-head">
        <ColourButton model={model} own={own} />
        <NameField model={model} own={own} />
        <strong class="card-share unbroken">{percent(share)}</strong>
      </div>
      {own.name !== numberedName(k) && <p class="small muted class-number">{numberedName(k)}</p>}
      {marks.length === 0 ? (
        <p class="small muted">
          {model.rank === 1
            ? 'One class: all variables are independent.'
            : 'Close to the average: nothing sets it apart.'}
        </p>
      ) : (
        <ul class="marks small">
          {marks.slice(0, TOLD).map(mark => (
            <Mark key={`${mark.mode} ${mark.label}`} mark={mark} />
          ))}
        </ul>
      )}
    </li>
  )
}

const NameField = ({ model, own: { k, name, subtitle, proposed, named } }: Props) => {
  // What is being typed, which may not be a name yet.
  const [draft, setDraft] = useState<string | null>(null)
  const fault = draft === null ? undefined : nameFault(model, k, draft)
  const [faultId, subtitleId] = [`name-fault-${k}`, `subtitle-${k}`]
  return (
    <div class="name">
      <textarea
        rows={(draft ?? name).length > LINE ? 2 : 1}
        maxLength={80}
        aria-label={`Name of class ${k + 1}`}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? (subtitle === '' ? undefined : subtitleId) : faultId}
        placeholder={proposed}
        title={named ? undefined : 'Type a name for this class'}
        value={draft ?? name}
        onInput={event => {
          // Pasted lines are one name.
          const text = event.currentTarget.value.replace(/\s*\n\s*/g, ' ')
          setDraft(text)
          if (nameFault(model, k, text) === undefined) renameClass(model.rank, k, text)
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.blur()
        }}
        onBlur={() => setDraft(null)}
      />
      {subtitle !== '' && (
        <p id={subtitleId} class="small muted class-subtitle">
          <bdi>{subtitle}</bdi>
        </p>
      )}
      {fault !== undefined && (
        <span id={faultId} class="small fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}

/** What sets a class apart: a category, or the average of a scale or a number. */
const Mark = ({
  mark: { mode, label, probability, overall, average },
}: {
  readonly mark: ShownClass['marks'][number]
}) => {
  const shown = chosenLabels.value
  const likely = `${intervalText(label)} ${percent(probability, 0)}, overall ${percent(overall, 0)}`
  return (
    <li class="clamped" title={`${shown.name(mode)}: ${likely}`}>
      <span class="muted">
        <bdi>{shown.title(mode) ?? mode}</bdi>:
      </span>{' '}
      {average === undefined ? (
        <>
          <bdi>{intervalText(label)}</bdi>{' '}
          <span class="muted">
            <span class="unbroken">{percent(probability, 0)}</span>,{' '}
            <span class="unbroken">overall {percent(overall, 0)}</span>
          </span>
        </>
      ) : (
        <>
          {average.side}{' '}
          <span class="muted">
            <span class="unbroken">
              mean {meanText(average.mean)}
              {average.steps !== undefined && ` of ${average.steps}`}
            </span>
            , <span class="unbroken">overall {meanText(average.overall)}</span>
          </span>
        </>
      )}
    </li>
  )
}

const meanText = (value: number): string => fixed(value, Math.abs(value) < 100 ? 1 : 0)

/** A colour as #rrggbb, as the page shows it: a custom property of the theme, too. */
const literal = (colour: string): string => {
  const probe = document.body.appendChild(document.createElement('span'))
  probe.style.color = colour
  const rgb = getComputedStyle(probe).color.match(/\d+/g) ?? []
  probe.remove()
  return `#${rgb
    .slice(0, 3)
    .map(part => Number(part).toString(16).padStart(2, '0'))
    .join('')}`
}

const ColourButton = ({ model, own: { k, name, colour, place, recoloured } }: Props) => {
  const [open, setOpen] = useState(false)
  const [root, button] = [useRef<HTMLDivElement>(null), useRef<HTMLButtonElement>(null)]
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useEffect(() => {
    const element = root.current
    if (element === null || !open) return
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setOpen(false)
      button.current?.focus()
    }
    const outside = ({ target }: Event) => {
      if (!element.contains(target as Node)) setOpen(false)
    }
    element.addEventListener('keydown', onEscape)
    document.addEventListener('pointerdown', outside)
    return () => {
      element.removeEventListener('keydown', onEscape)
      document.removeEventListener('pointerdown', outside)
    }
  }, [open])
  const choose = (chosen: string | null) => recolourClass(model.rank, k, chosen)
  const against = open ? contrast(literal(colour), literal('var(--background)')) : LEAST_CONTRAST
  return (
    <div ref={root}>
      <button
        type="button"
        ref={button}
        class="swatch-button"
        aria-label={`Colour of ${name}`}
        aria-expanded={open}
        title="Change the colour"
        onClick={() => setOpen(!open)}
      >
        <ClassMark place={place} />
      </button>
      {open && (
        <fieldset class="palette">
          <legend class="hidden">Colours for {name}</legend>
          <div class="row swatches">
            {Array.from({ length: THEME_COLOURS }, (_, i) => placeColour(i)).map((each, i) => (
              <button
                type="button"
                key={each}
                class="swatch-button"
                style={{ '--colour': each }}
                aria-label={`Colour ${i + 1}`}
                aria-pressed={each === colour}
                onClick={() => choose(each)}
              >
                <span class="swatch" />
              </button>
            ))}
          </div>
          <label class="row small">
            Custom colour
            <input type="color" value={literal(colour)} onInput={event => choose(event.currentTarget.value)} />
          </label>
          {against < LEAST_CONTRAST && (
            <p class="note warning small">
              Its contrast with the background is {against.toFixed(1)}:1. Below 3:1 bars and lines are hard to see.
            </p>
          )}
          <div class="row">
            {recoloured && (
              <button type="button" class="plain small" onClick={() => choose(null)}>
                Reset colour
              </button>
            )}
            <button type="button" class="plain small" onClick={close}>
              Close
            </button>
          </div>
        </fieldset>
      )}
    </div>
  )
}
