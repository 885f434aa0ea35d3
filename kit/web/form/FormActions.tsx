import type { ReactNode } from 'react'
import { Button } from '../widgets/Button.tsx'
import * as s from './actions.module.css'

type Props = {
  back?: string | (() => void)
  backText?: string
  children: ReactNode
}

/**
 * The BACK and CONTINUE buttons at the end of a form. They stay in the page's normal flow, because a floating bar would hide cards and a
 * long form's focused field.
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
