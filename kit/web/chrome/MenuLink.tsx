import type { MenuItem } from '#kit/contract/bootstrap.ts'
import { activateAnotherLink, useHasActivated } from '../has-activated.ts'
import { Link } from '../Link.tsx'
import { usePath } from '../router/location.ts'

export function MenuLink({ item, onClick }: { item: MenuItem; onClick?: () => void }) {
  const { text, url } = useHasActivated() && item.url === '/activate/' ? activateAnotherLink : item
  return (
    <Link href={url} onClick={onClick} aria-current={usePath() === url ? 'page' : undefined}>
      {text}
    </Link>
  )
}
