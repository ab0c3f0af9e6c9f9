import { size } from '../../parts/numbers.ts'
import { EXAMPLES } from '../../state/opening/examples.ts'
import { openExample, openServerFile } from '../../state/opening/opening.ts'
import { serverFiles } from '../../state/opening/server-files.ts'
import { OpenFile } from './open-file.tsx'

/** The first visit. */
export const Welcome = () => (
  <div class="welcome">
    <div class="welcome-words">
      <h1>Find the groups that your table hides.</h1>
      <p class="lead">
        Give it a table of answers, counts or events, and it finds a few classes of rows that explain how the columns go
        together. It says how large each class is, what marks it, how sure you can be, and how many classes there are.
        All of it is computed in this page: your data never leaves this machine.
      </p>
    </div>
    <OpenFile />
    {serverFiles.value.length > 0 && (
      <section aria-labelledby="named-title">
        <h2 id="named-title">Files named on the command line</h2>
        <div class="cards">
          {serverFiles.value.map(each => (
            <button type="button" key={each.id} class="card" onClick={() => openServerFile(each)}>
              <strong>{each.name}</strong>
              <span class="muted">{size(each.size)}</span>
            </button>
          ))}
        </div>
      </section>
    )}
    <section aria-labelledby="examples-title">
      <h2 id="examples-title">Or begin with an example</h2>
      <div class="cards">
        {EXAMPLES.map(each => (
          <button type="button" key={each.file} class="card" onClick={() => openExample(each)}>
            <strong>{each.title}</strong>
            <span class="muted">{each.words}</span>
          </button>
        ))}
      </div>
    </section>
  </div>
)
