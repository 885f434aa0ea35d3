import { useRef, useState } from 'react'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { StaffAvatar } from '#kit/web/desk/StaffAvatar.tsx'
import { setCharacterShortcuts, useCharacterShortcuts } from '#kit/web/desk/character-shortcuts.ts'
import { Link } from '#kit/web/Link.tsx'
import { useDismissal } from '#kit/web/widgets/use-dismissal.ts'
import type { Staff } from '#desk/features/staff/staff.contract.ts'
import { roleLabel } from '#desk/features/staff/web/me.labels.ts'
import type { MenuEntry } from './menu-entries.ts'
import * as s from './PersonMenu.module.css'

type Props = {
  me: Staff
  /** Menu entries that do not fit in the bottom bar on a phone. They are shown in this menu on phones only. */
  others: readonly MenuEntry[]
  onSignOut: () => void
}

export function PersonMenu({ me, others, onSignOut }: Props) {
  const ref = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState(false)
  const areSingleKeyShortcutsOn = useCharacterShortcuts()
  const close = () => setOpen(false)
  useDismissal(ref, open, (byKey) => {
    close()
    if (byKey) ref.current?.querySelector('summary')?.focus()
  })
  return (
    <details ref={ref} className={s.person} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={s.summary}>
        <StaffAvatar name={me.name} />
        <span className={s.name}>
          <b>{me.name}</b>
          <small>{roleLabel(me)}</small>
        </span>
        <DeskIcon name="more" className={s.more} />
      </summary>
      <div className={s.menu}>
        <p className={s.who}>
          <b>{me.name}</b>
          <small>{roleLabel(me)}</small>
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
          aria-checked={areSingleKeyShortcutsOn}
          className={`${s.item} ${s.keys}`}
          onClick={() => setCharacterShortcuts(!areSingleKeyShortcutsOn)}
        >
          Single-key shortcuts
          <span className={s.state}>{areSingleKeyShortcutsOn ? 'On' : 'Off'}</span>
        </button>
        <button type="button" className={s.item} onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </details>
  )
}
