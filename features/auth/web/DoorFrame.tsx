import type { ReactNode } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Tail } from '#kit/web/widgets/Tail.tsx'
import s from './DoorFrame.module.css'

type Props = {
  title: string
  lead?: ReactNode
  children: ReactNode
  /** What else one may do here, below the card. */
  below?: ReactNode
}

/** How the pages before the portal look: one card in the middle, the bird behind it. */
export function DoorFrame({ title, lead, children, below }: Props) {
  return (
    <div className={s.door}>
      <div className={s.bird}><Tail part={1} /></div>
      <Card className={s.card}>
        <h1 className={s.title}>{title}</h1>
        {lead && <p className={s.lead}>{lead}</p>}
        {children}
      </Card>
      {below && <div className={s.below}>{below}</div>}
    </div>
  )
}
