import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { navigate } from './router/location.ts'

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

/** Whether an address leaves the portal: another site, a phone number, a mail address. */
const isExternal = (href: string) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(href)

/** A link inside the portal changes the page without loading it anew; any other address is a plain link. */
export function Link(props: Props) {
  return isExternal(props.href) || props.target ? <a {...props} /> : <InnerLink {...props} />
}

function InnerLink({ href, onClick, ...props }: Props) {
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    // A new tab, a new window, a download: the browser's own business.
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    navigate(href)
  }
  return <a {...props} href={href} onClick={follow} />
}

/** A link to another site opens beside the portal, so that nothing typed here is lost. */
export function NewTabLink({ children, ...props }: Props) {
  if (!isExternal(props.href)) return <Link {...props}>{children}</Link>
  return (
    <a {...props} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}
