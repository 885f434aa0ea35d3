import { useSyncExternalStore } from 'react'
import { useBootstrap } from '../bootstrap.tsx'
import { Banner } from '../widgets/Banner.tsx'
import { areCookiesBlocked, cookiesNeeded } from './cookies-needed.ts'
import type { Form } from './form.ts'

const never = () => () => {}

export function CookiesNeeded<V extends object>({ form }: { form: Form<V> }) {
  const { brand } = useBootstrap()
  const isBlocked = useSyncExternalStore(never, areCookiesBlocked, () => false)
  if (!isBlocked || form.errors.__all__) return null
  return (
    <div role="status">
      <Banner kind="warn">{cookiesNeeded(brand.shortName)}</Banner>
    </div>
  )
}
