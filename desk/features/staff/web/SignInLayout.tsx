import type { ReactNode } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import * as s from './Door.module.css'

export function SignInLayout({ title, lead, children }: { title: string; lead?: ReactNode; children?: TextFreeNode }) {
  const { brand } = useBootstrap()
  return (
    <div className={s.door}>
      <p className={s.name}>
        <img src={brand.mark} alt="" width="40" height="40" />
        <span>
          <b>{brand.shortName}</b> desk
        </span>
      </p>
      <Card>
        <h1 className={s.title}>{title}</h1>
        {lead && <p className={s.lead}>{lead}</p>}
        {children}
      </Card>
    </div>
  )
}
