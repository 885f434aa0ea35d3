import { useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import * as buttons from './round.module.css'
import * as s from './Dialog.module.css'

type DialogProps = { title: string; open: boolean; onClose: () => void; children: ReactNode }

export function Dialog(props: DialogProps) {
  return <BaseDialog {...props} />
}

const narrowScreenQuery = '(max-width: 74.99rem)'

export function SidePanel(props: DialogProps) {
  return <BaseDialog {...props} modalOn={narrowScreenQuery} />
}

function BaseDialog({ title, open, onClose, children, modalOn }: DialogProps & { modalOn?: string }) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const close = useEffectEvent(onClose)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    const previouslyFocused = document.activeElement as HTMLElement | null
    const query = modalOn ? matchMedia(modalOn) : undefined
    const show = () => {
      dialog.close()
      if (!query || query.matches) dialog.showModal()
      else dialog.show()
    }
    show()
    const abortController = new AbortController()
    const { signal } = abortController
    query?.addEventListener('change', show, { signal })
    // Switching between modal and non-modal also closes the dialog briefly. Ignore that event.
    dialog.addEventListener('close', () => !dialog.open && close(), { signal })
    // Escape with the focus outside the dialog fires `cancel`. The browser fires `close` later, when the dialog may be open again.
    dialog.addEventListener('cancel', ({ target }) => target === dialog && close(), { signal })
    /*
     * The content fills the dialog's box, so a click on the dialog itself is on its backdrop. With `mousedown`, a drag to select text does
     * not count.
     */
    dialog.addEventListener('mousedown', ({ target }) => target === dialog && close(), { signal })
    // The browser does not close a non-modal dialog on Escape.
    dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal })
    return () => {
      abortController.abort()
      dialog.close()
      // The browser returns the focus to the opener, except when the focused element has just been removed from a panel.
      if (document.activeElement === document.body) previouslyFocused?.focus()
    }
  }, [open, modalOn])

  return (
    <dialog
      ref={ref}
      className={`${s.sheet} ${modalOn ? s.side : ''}`}
      aria-labelledby={titleId}
      data-side-panel={modalOn && ''}
    >
      {open && (
        <div className={s.body}>
          <header className={s.head}>
            <h2 id={titleId}>{title}</h2>
            <button type="button" className={`${buttons.round} ${s.close}`} aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}
