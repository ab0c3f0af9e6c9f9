import { omit } from '@polyad/core/options'
import { openAgain } from '../../../state/opening/opening.ts'
import { type Unopened, unopened } from '../../../state/reading/unopened.ts'
import type { DataFile } from '../../../worker/protocol.ts'
import { FileFields, hasOptions } from './file-options.tsx'

/** Lines of the file that are shown, and bytes that are looked at for them. */
const LINES = 8
const HEAD = 4000

/** A file that could not be read: why, what its first lines are, and what can be said about it. */
export const UnopenedFile = () => (unopened.value === null ? null : <UnopenedCard {...unopened.value} />)

const UnopenedCard = ({ file, reason }: Unopened) => {
  const lines = firstLines(file)
  return (
    <section class="unopened" aria-label={`${file.name} could not be read`}>
      <div class="unopened-head">
        <h2>
          <bdi>{file.name}</bdi> could not be read
        </h2>
        <button
          type="button"
          class="plain"
          aria-label="Close this message"
          onClick={() => {
            unopened.value = null
          }}
        >
          ×
        </button>
      </div>
      <p role="alert">{reason}</p>
      {hasOptions(file, null) && !isEmpty(file) && (
        <>
          {lines.length > 0 && (
            <ol class="raw-lines" aria-label={`First lines of ${file.name}`}>
              {lines.map((line, i) => (
                <li key={i}>
                  <code>
                    <bdi>{line}</bdi>
                  </code>
                </li>
              ))}
            </ol>
          )}
          <p class="small muted">If the format was detected wrongly, set it here:</p>
          <FileFields
            now={file}
            opened={null}
            set={async (option, value) => {
              const rest = omit(file, option)
              await openAgain((value === null ? rest : { ...rest, [option]: value }) as DataFile)
            }}
          />
        </>
      )}
    </section>
  )
}

/** A file in which nothing is written: no setting finds a table in it. */
const isEmpty = (file: DataFile): boolean => file.from === 'bytes' && file.bytes.every(byte => byte <= 32)

/** The first lines of separated text as they stand in the file. */
const firstLines = (file: DataFile): readonly string[] => {
  if (file.from !== 'bytes') return []
  const head = file.bytes.subarray(0, HEAD)
  if (head.some(byte => byte < 9 && byte !== 0) || /\.gz$/i.test(file.name)) return []
  let text: string
  try {
    text = new TextDecoder(file.encoding ?? 'utf-8').decode(head)
  } catch {
    return []
  }
  if (text.includes('\0')) return []
  return text
    .split(/\r\n?|\n/)
    .slice(0, LINES)
    .map(line => line.slice(0, 200))
}
