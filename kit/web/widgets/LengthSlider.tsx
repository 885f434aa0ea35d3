import { useRef } from 'react'
import * as s from './LengthSlider.module.css'

export type LengthOption = { position: number; length: number; unit: string; promo_text: string | null }

type Props = {
  options: readonly LengthOption[]
  value: number
  onChange: (length: number) => void
  label: string
}

export function LengthSlider({ options: unsorted, value, onChange, label }: Props) {
  const isPressed = useRef(false)
  const options = unsorted.toSorted((a, b) => a.position - b.position)
  const currentOption = options.find((option) => option.length === value) ?? options[0]
  if (!currentOption) return null

  function move(to: number) {
    const from = currentOption!.position
    const nearestOption = options.reduce((best, option) =>
      getDistance(option, to) < getDistance(best, to) ? option : best,
    )
    const next =
      to > from
        ? options.find((option) => option.position > from)
        : options.findLast((option) => option.position < from)
    const target = nearestOption.position === from && !isPressed.current ? next : nearestOption
    if (target && target.length !== value) onChange(target.length)
  }

  return (
    <div className={s.slider}>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        value={currentOption.position}
        aria-label={label}
        aria-valuetext={`${currentOption.length} ${currentOption.unit}`}
        onPointerDown={() => {
          isPressed.current = true
        }}
        onPointerUp={() => {
          isPressed.current = false
        }}
        onKeyDown={() => {
          isPressed.current = false
        }}
        onChange={(event) => move(Number(event.currentTarget.value))}
      />
      <svg aria-hidden="true">
        <line className={s.track} x1="0" x2="100%" y1="58" y2="58" />
        <line className={s.fill} x1="0" x2={`${currentOption.position}%`} y1="58" y2="58" />
        {options.map((option, index) => (
          <Stop
            key={option.length}
            option={option}
            isCurrent={option === currentOption}
            raised={isPromoRaised(options, index)}
            onChoose={() => onChange(option.length)}
          />
        ))}
      </svg>
    </div>
  )
}

type SliderStopProps = { option: LengthOption; isCurrent: boolean; raised: boolean; onChoose: () => void }

function Stop({ option: { position, length, unit, promo_text }, isCurrent, raised, onChoose }: SliderStopProps) {
  return (
    <svg x={`${position}%`} className={isCurrent ? s.current : ''}>
      <circle className={s.stop} cy="58" r="8" />
      {isCurrent && <circle className={s.thumb} cy="58" r="11" />}
      <g className={s.target} aria-hidden="true" onClick={onChoose}>
        <rect fill="transparent" x="-28" y="72" width="56" height="44" />
        <text className={s.label} y="95">
          <tspan x="0">{length}</tspan>
          <tspan className={s.space}> </tspan>
          <tspan x="0" dy="1.3em" className={s.unit}>
            {unit}
          </tspan>
        </text>
      </g>
      {promo_text && <PromotionLabel text={promo_text} position={position} raised={raised} />}
    </svg>
  )
}

const getDistance = (option: LengthOption, to: number) => Math.abs(option.position - to)

function isPromoRaised(options: readonly LengthOption[], index: number): boolean {
  const previousOption = options[index - 1]
  return Boolean(previousOption?.promo_text) && !isPromoRaised(options, index - 1)
}

/** An option's promotion, shown above the slider. SVG text has no box, so the width is estimated and the text is fitted into it. */
function PromotionLabel({ text, position, raised }: { text: string; position: number; raised: boolean }) {
  const width = text.length * 6.4
  const left = position < 12 ? -15 : position > 88 ? 1 - width : -7 - width / 2
  return (
    <g className={raised ? s.raised : ''}>
      <rect className={s.sticker} x={left} y="20" width={width + 14} height="18" rx="5" />
      <text className={s.promo} x={left + 7} y="32.5" textLength={width}>
        {text}
      </text>
    </g>
  )
}
