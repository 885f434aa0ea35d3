import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { FoundationsPart } from './FoundationsPart.tsx'
import { LookSwitch } from './LookSwitch.tsx'
import * as s from './guide.module.css'

/**
 * Keyed by the name in the address. All parts together would exceed a page's size limit, so only the first is loaded
 * with the page.
 */
const parts: Record<string, { title: string; content: ComponentType }> = {
  foundations: { title: 'Foundations', content: FoundationsPart },
  controls: { title: 'Controls', content: lazy(() => import('./ControlsPart.tsx')) },
  forms: { title: 'Forms', content: lazy(() => import('./FormsPart.tsx')) },
  feedback: { title: 'Feedback', content: lazy(() => import('./FeedbackPart.tsx')) },
  screens: { title: 'Screens', content: lazy(() => import('./ScreensPart.tsx')) },
}

const lead =
  'What the portal’s pages are made of, in all its states. ' +
  'A developer’s demo of the theming: nothing here is real, and nothing is sent.'

/** All UI elements in all their states. This is a developer's demo of the theming only (spec 2.1). */
export default function StyleGuidePage() {
  const wanted = new URLSearchParams(useRawLocation().search).get('part') ?? ''
  const shown = Object.hasOwn(parts, wanted) ? wanted : 'foundations'
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const Content = parts[shown]!.content
  return (
    <>
      <PageTitle lead={lead}>Style Guide</PageTitle>
      <LookSwitch />
      <nav aria-label="Parts of the style guide">
        <ul className={s.parts}>
          {Object.entries(parts).map(([name, { title }]) => (
            <li key={name}>
              <Link href={`/styleguide/?part=${name}`} aria-current={name === shown ? 'page' : undefined}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {/* Later parts have their own style sheet. If the server rendered them, they would briefly appear without it. */}
      <div className={s.part}>
        {isAlive || shown === 'foundations' ? (
          <Suspense fallback={<Coming />}>
            <Content />
          </Suspense>
        ) : (
          <Coming />
        )}
      </div>
    </>
  )
}

const Coming = () => (
  <div className={s.coming}>
    <Skeleton lines={12} />
  </div>
)

const never = () => () => {}
