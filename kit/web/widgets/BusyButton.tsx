import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'

type Props = Omit<Extract<ComponentProps<typeof Button>, { href?: undefined }>, 'onClick' | 'disabled'> & {
  busy: boolean
  busyText: string
  onClick: () => void
}

export function BusyButton({ busy, busyText, onClick, children, ...look }: Props) {
  return (
    <Button {...look} aria-busy={busy || undefined} aria-disabled={busy || undefined} onClick={() => busy || onClick()}>
      {busy ? busyText : children}
    </Button>
  )
}
