import type { ReactNode } from 'react'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import * as s from './PurchaseDone.module.css'

type Props = {
  title: string
  /** Where to go from here. */
  actions: ReactNode
  children?: ReactNode
}

/** The page that says that something is bought. */
export function PurchaseDone({ title, actions, children }: Props) {
  return (
    <div className={s.done}>
      <FanProgress part={1} />
      <h1>{title}</h1>
      <div className={s.text}>{children}</div>
      <div className={s.actions}>{actions}</div>
    </div>
  )
}
