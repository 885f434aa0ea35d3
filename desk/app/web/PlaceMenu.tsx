import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { Link } from '#kit/web/Link.tsx'
import { usePath } from '#kit/web/router/location.ts'
import { isAt, mostOnPhone, type Place } from './places.ts'
import s from './PlaceMenu.module.css'

/** The desk's menu; at the bottom of a phone the first few. */
export function PlaceMenu({ open }: { open: readonly Place[] }) {
  const path = usePath()
  return (
    <nav className={s.places} aria-label="Desk">
      <ul>
        {open.map((place, index) => (
          <li key={place.path} className={`${place.isApart ? s.apart : ''} ${index >= mostOnPhone ? s.wideOnly : ''}`}>
            <Link href={place.path} className={s.place} aria-current={isAt(place, path) ? 'page' : undefined}>
              <DeskIcon name={place.icon} />
              <span className={place.short ? s.long : ''}>{place.title}</span>
              {place.short && (
                <span className={s.short} aria-hidden="true">
                  {place.short}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
