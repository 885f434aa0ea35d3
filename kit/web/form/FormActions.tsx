import type { ReactNode } from 'react'
import { Button } from '../widgets/Button.tsx'
import * as s from './actions.module.css'

type Props = {
  back?: string | (() => void)
  backText?: string
  children: ReactNode
}

/**
 * The buttons BACK and CONTINUE at the end of a form. The row stays in the flow of the page, because a floating bar would hide cards and
 * the focused field of a long form.
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
