import type { MenuItem } from '#kit/contract/bootstrap.ts'
import { Link } from '../Link.tsx'
import { usePath } from '../router/location.ts'

/** A link of a menu; the one to the page that is open says so. */
export function MenuLink({ item: { text, url }, onClick }: { item: MenuItem; onClick?: () => void }) {
  return (
    <Link href={url} onClick={onClick} aria-current={usePath() === url ? 'page' : undefined}>
      {text}
    </Link>
  )
}
