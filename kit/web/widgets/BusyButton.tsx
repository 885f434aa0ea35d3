import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'

type Props = Omit<Extract<ComponentProps<typeof Button>, { href?: undefined }>, 'onClick' | 'disabled'> & {
  /** What was pressed for is under way. */
  busy: boolean
  /** What it says meanwhile. */
  busyText: string
  onClick: () => void
}

/** A button whose press takes a while: meanwhile it says so and takes no other, but keeps the focus. */
export function BusyButton({ busy, busyText, onClick, children, ...look }: Props) {
  return (
    <Button {...look} aria-busy={busy || undefined} aria-disabled={busy || undefined} onClick={() => busy || onClick()}>
      {busy ? busyText : children}
    </Button>
  )
}
