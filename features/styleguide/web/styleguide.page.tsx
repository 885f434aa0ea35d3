import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { FoundationsPart } from './FoundationsPart.tsx'
import { LookSwitch } from './LookSwitch.tsx'
import * as s from './guide.module.css'

/** By the name that the address has. All together would be more than a page may weigh: only the first comes with it. */
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

/** Everything that pages are made of, in all its states: a developer's demo of the theming, and of nothing else (spec 2.1). */
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
      {/* A later part comes with a sheet of its own. Rendered by the server it would show without it for a moment. */}
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
