import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Says that a file can be dropped anywhere on the page, while one is dragged over it. */
export const DropOverlay = () => {
  const over = useSignal(false)
  useEffect(() => {
    const isFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const enter = (event: DragEvent) => {
      if (isFile(event)) over.value = true
    }
    // Within the page one element is left for another; out of it there is none.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) over.value = false
    }
    const end = () => {
      over.value = false
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('drop', end, { capture: true })
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', end, { capture: true })
    }
  }, [])
  return over.value ? (
    <div class="drop-overlay" aria-hidden="true">
      <strong>Drop the file to open it</strong>
    </div>
  ) : null
}
