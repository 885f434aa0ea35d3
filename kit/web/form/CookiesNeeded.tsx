import { useSyncExternalStore } from 'react'
import { useBootstrap } from '../bootstrap.tsx'
import { Banner } from '../widgets/Banner.tsx'
import { areCookiesBlocked, getCookiesNeededMessage } from './cookies-needed.ts'
import type { Form } from './form.ts'

const subscribeToNothing = () => () => {}

export function CookiesNeeded<V extends object>({ form }: { form: Form<V> }) {
  const { brand } = useBootstrap()
  const isBlocked = useSyncExternalStore(subscribeToNothing, areCookiesBlocked, () => false)
  if (!isBlocked || form.errors.__all__) return null
  return (
    <div role="status">
      <Banner kind="warn">{getCookiesNeededMessage(brand.shortName)}</Banner>
    </div>
  )
}
