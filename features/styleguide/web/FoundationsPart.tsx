import { ColoursSection } from './ColoursSection.tsx'
import { IconsSection } from './IconsSection.tsx'
import { MeasuresSection } from './MeasuresSection.tsx'
import { MotionSection } from './MotionSection.tsx'
import { TypeSection } from './TypeSection.tsx'

/** What is below everything else, and in every page's sheet. */
export function FoundationsPart() {
  return (
    <>
      <ColoursSection />
      <TypeSection />
      <MeasuresSection />
      <MotionSection />
      <IconsSection />
    </>
  )
}
