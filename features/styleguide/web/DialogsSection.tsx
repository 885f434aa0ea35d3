import { type ReactNode, useState } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Dialog, SidePanel } from '#kit/web/widgets/Dialog.tsx'
import { Section } from './Section.tsx'
import * as s from './guide.module.css'

export function DialogsSection() {
  return (
    <Section
      title="Dialog and side panel"
      note={
        'Escape, the close button or a press outside closes a dialog and returns the focus to the button that opened it. ' +
        'On a wide screen, the page stays usable beside the side panel.'
      }
    >
      <p className={s.row}>
        <DialogOpener text="Open a dialog" title="Disable Auto Renewal?" of={Dialog}>
          <p>Your Prepay Plan stays active until it expires.</p>
        </DialogOpener>
        <DialogOpener
          text="Open a long dialog"
          title="This dialog is longer than the screen, and its title takes more than one line"
          of={Dialog}
        >
          {Array.from({ length: 24 }, (_, index) => (
            <p key={index}>The title stays visible while this text scrolls.</p>
          ))}
        </DialogOpener>
        <DialogOpener text="Open the side panel" title="All Prepay Plans" of={SidePanel}>
          <p>On a narrow screen, the side panel becomes a dialog.</p>
        </DialogOpener>
      </p>
    </Section>
  )
}

function DialogOpener({
  text,
  title,
  of: Window,
  children,
}: {
  text: string
  title: string
  of: typeof Dialog
  children: ReactNode
}) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {text}
      </Button>
      <Window title={title} open={open} onClose={close}>
        {children}
        <p className={s.play}>
          <Button onClick={close}>Done</Button>
        </p>
      </Window>
    </>
  )
}
