import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { useToast } from '#kit/web/widgets/Toast.tsx'
import { Section } from './Section.tsx'
import * as s from './guide.module.css'

export function ToastsSection() {
  const { toast: shown, show } = useToast()
  const toast: TextFreeNode = shown
  return (
    <>
      <Section
        title="Toasts"
        note="Toasts report a success that needs no response. One toast is shown at a time, and never over the focused element."
      >
        <p className={s.row}>
          <Button kind="quiet" onClick={() => show('Saved')}>
            Show for 1.5 seconds
          </Button>
          <Button
            kind="quiet"
            onClick={() => show('Auto-renewal is on. We’ll tell you 3 days before each renewal what it costs.', 8_000)}
          >
            Show for 8 seconds
          </Button>
        </p>
      </Section>
      {toast}
    </>
  )
}
