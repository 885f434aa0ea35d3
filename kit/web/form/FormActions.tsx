import type { ReactNode } from 'react'
import { Button } from '../widgets/Button.tsx'
import * as s from './actions.module.css'

type Props = {
  /** Where BACK goes, or what it does; without it there is none. */
  back?: string | (() => void)
  backText?: string
  /** The submit button. */
  children: ReactNode
}

/**
 * BACK and CONTINUE, at the end of a form. The row stays in the flow: a bar that floats over a long form would hide
 * the cards and the focused field behind it.
 */
export function FormActions({ back, backText = 'BACK', children }: Props) {
  return (
    <div className={s.actions}>
      {typeof back === 'string' && (
        <Button kind="plain" className={s.back} href={back}>
          {backText}
        </Button>
      )}
      {typeof back === 'function' && (
        <Button kind="plain" className={s.back} onClick={back}>
          {backText}
        </Button>
      )}
      <div className={s.forward}>{children}</div>
    </div>
  )
}
