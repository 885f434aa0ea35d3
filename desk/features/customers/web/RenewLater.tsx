import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { RenewDrawer } from '#desk/features/renewals/web/RenewDrawer.tsx'

const Drawer = lazy(async () => ({
  default: (await import('#desk/features/renewals/web/RenewDrawer.tsx')).RenewDrawer,
}))

/** Comes when somebody asks for it first, and stays then: most who look at a customer renew nothing. */
export function RenewLater(props: ComponentProps<typeof RenewDrawer>) {
  const [wasAsked, setAsked] = useState(false)
  if (props.service && !wasAsked) setAsked(true)
  return <Suspense>{wasAsked && <Drawer {...props} />}</Suspense>
}
