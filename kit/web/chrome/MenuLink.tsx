import type { MenuItem } from '#kit/contract/bootstrap.ts'
import { anotherActivationLink, useHasActivatedSim } from '../has-activated-sim.ts'
import { Link } from '../Link.tsx'
import { usePath } from '../router/location.ts'

export function MenuLink({ item, onClick }: { item: MenuItem; onClick?: () => void }) {
  const { text, url } = useHasActivatedSim() && item.url === '/activate/' ? anotherActivationLink : item
  return (
    <Link href={url} onClick={onClick} aria-current={usePath() === url ? 'page' : undefined}>
      {text}
    </Link>
  )
}
