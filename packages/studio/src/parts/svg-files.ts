/** Charts as files. */

/** How wide a chart in a file is, in pixels, and how many of a picture's make one of them. */
export const FILE_WIDTH = 960
const SCALE = 2

/** The picture of an SVG file. */
export const pngOf = async (svg: string): Promise<Blob> => {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = SCALE * image.width
    canvas.height = SCALE * image.height
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('this browser draws no pictures: take the .svg')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        blob => (blob === null ? reject(new Error('the picture is too large: take the .svg')) : resolve(blob)),
        'image/png',
      ),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}
