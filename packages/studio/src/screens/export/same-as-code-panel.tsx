import { CopyButton } from '../../components/copy-button.tsx'
import { asCommand, asProgram } from '../../state/fitting/same-as-code.ts'
import { openOptions } from '../../state/reading/open-options.ts'
import { type Fits, file, table } from '../../state/store/store.ts'
import { Card } from './card.tsx'

/** What was done here, for the command line and for a program: the same bits. */
export const SameAsCode = ({ fits: { fits, request: asked, read, stopped } }: { readonly fits: Fits }) => {
  // More classes than a table can tell apart were asked for, but not tried.
  const request = { ...asked, to: stopped ? asked.to : (fits[fits.length - 1]?.rank ?? asked.to) }
  const name = file.value?.name ?? table.value?.name ?? 'data.csv'
  return (
    <Card
      title="Code"
      room="whole"
      about={
        <>
          Reproduce this: the same data, settings and seed give the same models
          {request.graphics === true ? ', on the same graphics device' : ''}
          {stopped ? '. This fit was stopped by hand, so its result depends on the machine' : ''}.
        </>
      }
    >
      <div class="codes">
        {read === null ? (
          <Recorded line={request.line} />
        ) : (
          <>
            <Code title="Command line" text={asCommand(name, { ...read, ...openOptions(file.value) }, request)} />
            <Code title="TypeScript" text={asProgram(name, { ...read, ...openOptions(file.value) }, request)} />
          </>
        )}
      </div>
    </Card>
  )
}

/** Of a model that was opened, what its file says. */
const Recorded = ({ line }: { readonly line: string }) =>
  line === '' ? (
    <p class="muted">This model file does not record the command that made it.</p>
  ) : (
    <Code title="Command line, as recorded in the model file" text={line} />
  )

const Code = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div class="code">
    <div class="row export-head">
      <h3>{title}</h3>
      <CopyButton text={text} label={title} />
    </div>
    <pre class="panel">{text}</pre>
  </div>
)
