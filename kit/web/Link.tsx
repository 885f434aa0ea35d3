import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { navigate } from './router/location.ts'

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

const isExternal = (href: string) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(href)

export function Link(props: Props) {
  return isExternal(props.href) || props.target ? <a {...props} /> : <PortalLink {...props} />
}

function PortalLink({ href, onClick, ...props }: Props) {
  function handleClick(event: MouseEvent<HTMLAnchorElement>): void {
    // Let the browser handle clicks that open a new tab or window, or download the target.
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    navigate(href)
  }
  return <a {...props} href={href} onClick={handleClick} />
}

/** A link to another site that opens in a new tab, so that nothing typed on this page is lost. */
export function NewTabLink({ children, ...props }: Props) {
  if (!isExternal(props.href)) return <Link {...props}>{children}</Link>
  return (
    <a {...props} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}
