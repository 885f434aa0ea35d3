import { useBootstrap } from '#kit/web/bootstrap.tsx'

/** Says in the demo that the working hours of real providers do not apply to its simulated network. */
export function DemoNetworkNote() {
  const { isDemo } = useBootstrap()
  if (!isDemo) return null
  return <p>This demo’s network works around the clock, so here a transfer takes only a few seconds.</p>
}
