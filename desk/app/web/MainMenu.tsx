import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { Link } from '#kit/web/Link.tsx'
import { usePath } from '#kit/web/router/location.ts'
import type { Counters } from '#desk/features/counters/counters.contract.ts'
import { findCurrentEntry, maxMobileMenuEntries, type MenuEntry } from './menu-entries.ts'
import * as s from './PlaceMenu.module.css'

export function MainMenu({ open, waits }: { open: readonly MenuEntry[]; waits: Counters | null }) {
  const currentEntry = findCurrentEntry(open, usePath())
  return (
    <nav className={s.places} aria-label="Desk">
      <ul>
        {open.map((place, index) => (
          <li
            key={place.path}
            className={`${place.isApart ? s.apart : ''} ${index >= maxMobileMenuEntries ? s.wideOnly : ''}`}
          >
            <Link href={place.path} className={s.place} aria-current={place === currentEntry ? 'page' : undefined}>
              <DeskIcon name={place.icon} />
              <span className={place.short ? s.long : ''}>{place.title}</span>
              {place.short && (
                <span className={s.short} aria-hidden="true">
                  {place.short}
                </span>
              )}
              <Count of={(waits && place.count?.(waits)) ?? 0} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const maxDisplayedCount = 99

function Count({ of }: { of: number }) {
  if (of === 0) return null
  return (
    <span className={s.count}>
      {of > maxDisplayedCount ? `${maxDisplayedCount}+` : of}
      <span className="visually-hidden"> {of === 1 ? 'waits' : 'wait'}</span>
    </span>
  )
}
