import type { ReactNode } from 'react'
import { Button } from '../widgets/Button.tsx'
import * as s from './DeskNotice.module.css'

/** A page that has only a message and a link to the first page. */
export function DeskNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={s.nothing}>
      <h1>{title}</h1>
      <p className="muted">{children}</p>
      <Button kind="quiet" href="/">
        Back to Today
      </Button>
    </div>
  )
}
