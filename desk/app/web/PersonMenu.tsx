import { useRef, useState } from 'react'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { PersonMark } from '#kit/web/desk/PersonMark.tsx'
import { switchSingleKeys, useSingleKeys } from '#kit/web/desk/single-keys.ts'
import { Link } from '#kit/web/Link.tsx'
import { useDismissal } from '#kit/web/widgets/use-dismissal.ts'
import type { Staff } from '#desk/features/staff/staff.contract.ts'
import { roleWords } from '#desk/features/staff/web/me.words.ts'
import type { Place } from './places.ts'
import * as s from './PersonMenu.module.css'

type Props = {
  me: Staff
  /** Menu entries that do not fit at the bottom of a phone. They are shown on phones only. */
  others: readonly Place[]
  onSignOut: () => void
}

export function PersonMenu({ me, others, onSignOut }: Props) {
  const ref = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState(false)
  const singleKeys = useSingleKeys()
  const close = () => setOpen(false)
  useDismissal(ref, open, (byKey) => {
    close()
    if (byKey) ref.current?.querySelector('summary')?.focus()
  })
  return (
    <details ref={ref} className={s.person} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={s.summary}>
        <PersonMark name={me.name} />
        <span className={s.name}>
          <b>{me.name}</b>
          <small>{roleWords(me)}</small>
        </span>
        <DeskIcon name="more" className={s.more} />
      </summary>
      <div className={s.menu}>
        <p className={s.who}>
          <b>{me.name}</b>
          <small>{roleWords(me)}</small>
        </p>
        {others.map(({ path, title, icon }) => (
          <Link key={path} href={path} className={`${s.item} ${s.phoneOnly}`} onClick={close}>
            <DeskIcon name={icon} />
            {title}
          </Link>
        ))}
        <button
          type="button"
          role="switch"
          aria-checked={singleKeys}
          className={`${s.item} ${s.keys}`}
          onClick={() => switchSingleKeys(!singleKeys)}
        >
          Single-key shortcuts
          <span className={s.state}>{singleKeys ? 'On' : 'Off'}</span>
        </button>
        <button type="button" className={s.item} onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </details>
  )
}
