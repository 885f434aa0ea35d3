import type { Help } from '#kit/contract/bootstrap.ts'
import { buildTelLink } from '#kit/contract/links.ts'
import * as s from './Footer.module.css'

export function ContactLine({ help: { phone, hours }, className = '' }: { help: Help; className?: string }) {
  return (
    <p className={`${s.contact} ${className}`}>
      Need a person?{' '}
      <a href={buildTelLink(phone)} translate="no">
        {phone}
      </a>
      , {hours}
    </p>
  )
}
