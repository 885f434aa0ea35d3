import { useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import * as buttons from './round.module.css'
import * as s from './Dialog.module.css'

type DialogProps = { title: string; open: boolean; onClose: () => void; children: ReactNode }

/** A modal window. The browser keeps the focus inside, closes it on Escape and gives the focus back. */
export function Dialog(props: DialogProps) {
  return <Sheet {...props} />
}

const narrow = '(max-width: 74.99rem)'

/** A panel beside the page, which stays usable; a modal window where the screen is too narrow for both. */
export function SidePanel(props: DialogProps) {
  return <Sheet {...props} modalOn={narrow} />
}

/** `modalOn`: the media query under which it is modal; without one it always is. */
function Sheet({ title, open, onClose, children, modalOn }: DialogProps & { modalOn?: string }) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const close = useEffectEvent(onClose)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    const opener = document.activeElement as HTMLElement | null
    const query = modalOn ? matchMedia(modalOn) : undefined
    const show = () => {
      dialog.close()
      if (!query || query.matches) dialog.showModal()
      else dialog.show()
    }
    show()
    const listening = new AbortController()
    const { signal } = listening
    query?.addEventListener('change', show, { signal })
    // Not when it was only shown anew as the other kind.
    dialog.addEventListener('close', () => !dialog.open && close(), { signal })
    // Escape with the focus outside of it: that it has closed is told only later, when it may be wanted again already.
    dialog.addEventListener('cancel', ({ target }) => target === dialog && close(), { signal })
    // Its content fills the box, so this is the backdrop; pressed, not dragged to while selecting text.
    dialog.addEventListener('mousedown', ({ target }) => target === dialog && close(), { signal })
    // Beside the page nothing closes it on Escape but us.
    dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal })
    return () => {
      listening.abort()
      dialog.close()
      // The browser gives the focus back, but not when it was on something that has just gone from a panel.
      if (document.activeElement === document.body) opener?.focus()
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
