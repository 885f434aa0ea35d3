import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { FoundationsPart } from './FoundationsPart.tsx'
import { AppearanceSwitch } from './AppearanceSwitch.tsx'
import * as s from './guide.module.css'

/**
 * The style guide's parts by their name in the URL. All parts together would exceed the size limit for a page, so only
 * the first part is loaded with the page.
 */
const parts: Record<string, { title: string; content: ComponentType }> = {
  foundations: { title: 'Foundations', content: FoundationsPart },
  controls: { title: 'Controls', content: lazy(() => import('./ControlsPart.tsx')) },
  forms: { title: 'Forms', content: lazy(() => import('./FormsPart.tsx')) },
  feedback: { title: 'Feedback', content: lazy(() => import('./FeedbackPart.tsx')) },
  screens: { title: 'Screens', content: lazy(() => import('./ScreensPart.tsx')) },
}

const introduction =
  'This page shows all components of the portal in all their states. ' +
  'It is a demo for developers: nothing here is real, and nothing is sent.'

/**
 * The style guide shows all UI elements in all their states. Developers use the page only to review the theming (spec
 * 2.1).
 */
export default function StyleGuidePage() {
  const requestedPart = new URLSearchParams(useRawLocation().search).get('part') ?? ''
  const shownPart = Object.hasOwn(parts, requestedPart) ? requestedPart : 'foundations'
  const isHydrated = useSyncExternalStore(
    noopSubscribe,
    () => true,
    () => false,
  )
  const PartContent = parts[shownPart]!.content
  return (
    <>
      <PageTitle lead={introduction}>Style Guide</PageTitle>
      <AppearanceSwitch />
      <nav aria-label="Parts of the style guide">
        <ul className={s.parts}>
          {Object.entries(parts).map(([name, { title }]) => (
            <li key={name}>
              <Link href={`/styleguide/?part=${name}`} aria-current={name === shownPart ? 'page' : undefined}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {/* Later parts have their own style sheet. If the server rendered them, they would briefly appear without it. */}
      <div className={s.part}>
        {isHydrated || shownPart === 'foundations' ? (
          <Suspense fallback={<LoadingPart />}>
            <PartContent />
          </Suspense>
        ) : (
          <LoadingPart />
        )}
      </div>
    </>
  )
}

const LoadingPart = () => (
  <div className={s.coming}>
    <Skeleton lines={12} />
  </div>
)

const noopSubscribe = () => () => {}
