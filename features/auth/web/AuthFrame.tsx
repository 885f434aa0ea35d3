import type { ReactNode } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import * as s from './AuthFrame.module.css'

type Props = {
  title: string
  lead?: ReactNode
  children: TextFreeNode
  below?: ReactNode
}

export function AuthFrame({ title, lead, children, below }: Props) {
  const { brand } = useBootstrap()
  return (
    <div className={s.door}>
      <img src={brand.mark} alt="" width="80" height="80" className={s.mark} />
      <Card>
        <h1 className={s.title}>{title}</h1>
        {lead && <p className={s.lead}>{lead}</p>}
        {children}
      </Card>
      {below && <div className={s.below}>{below}</div>}
    </div>
  )
}
