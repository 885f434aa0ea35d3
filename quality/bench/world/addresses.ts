export const buildAddress = (network: `${number}.${number}`, nth: number): string => {
  const [first, second] = network.split('.').map(Number)
  return `${first}.${(second ?? 0) + (nth >> 16)}.${(nth >> 8) & 255}.${nth & 255}`
}
