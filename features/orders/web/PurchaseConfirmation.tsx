import type { ReactNode } from 'react'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import * as s from './PurchaseConfirmation.module.css'

type Props = {
  title: string
  actions: ReactNode
  children?: ReactNode
}

export function PurchaseConfirmation({ title, actions, children }: Props) {
  return (
    <div className={s.done}>
      <FanProgress part={1} />
      <h1>{title}</h1>
      <div className={s.text}>{children}</div>
      <div className={s.actions}>{actions}</div>
    </div>
  )
}
