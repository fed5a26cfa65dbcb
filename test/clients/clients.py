#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clients.py --icd FILE --work DIR [--layer FILE] [CLIENT...]: starts programs that no one of this project
wrote on the driver and looks at their pictures (run.sh installs them). Fails if one cannot be started, if the
driver reports something that it does not support or that is wrong, or if one shows something else than it
should; with the validation layer of --layer, also if that has something to say about the program that is not
the program's own fault. Pictures, its output and the driver's messages (kiln.log) stay in DIR/NAME.
"""
import argparse
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "icd"))
import pictures  # pylint: disable=wrong-import-position

# Mesa takes devices that are no hardware only when it is told to.
ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "GALLIUM_DRIVER": "zink", "LIBGL_ALWAYS_SOFTWARE": "1", "LIBGL_KOPPER_DRI2": "1",
        "vblank_mode": "0"}


def presented(folder):
    """The pictures of all swapchains, in the order in which they were presented."""
    return sorted(glob.glob(os.path.join(folder, "swapchain*-frame*.png")), key=lambda path: (os.stat(path).st_mtime_ns, path))


def share(rows, matches):
    """The share of pixels for which `matches(red, green, blue)`."""
    pixels = [pixel for row in rows for pixel in row]
    return sum(1 for pixel in pixels if matches(*pixel)) / len(pixels)


def check_cube(rows):
    """A cube with a picture on its sides, in front of grey."""
    background = rows[0][0]
    cube = share(rows, lambda *pixel: pixel != background)
    return None if 0.1 < cube < 0.6 else f"the cube covers {cube:.1%}"


def check_gears(rows):
    """Three gears: red, green, blue."""
    for index, name in enumerate(("red", "green", "blue")):
        part = share(rows, lambda *pixel, channel=index:
                     pixel[channel] > 60 and pixel[channel] > 1.5 * max(
                         value for other, value in enumerate(pixel) if other != channel))
        if part < 0.01:
            return f"the {name} gear covers {part:.1%}"
    return None


def check_gl_version(folder):
    """glxinfo's answer: all of OpenGL."""
    with open(os.path.join(folder, "output.txt"), encoding="utf-8", errors="replace") as file:
        version = re.search(r"core profile version string: (\S+)", file.read())
    return None if version and version.group(1) == "4.6" else f"OpenGL {version.group(1) if version else 'is not there'}"


def check_triangle(rows):
    """A triangle whose corners are red, green and blue, in front of one colour."""
    background = rows[0][0]
    if not 0.02 < share(rows, lambda *pixel: pixel != background) < 0.6:
        return "no triangle in front of one colour"
    for index, name in enumerate(("red", "green", "blue")):
        if share(rows, lambda *pixel, channel=index: pixel != background and
                 max(pixel) == pixel[channel] and pixel[channel] > 1.5 * sorted(pixel)[1]) < 0.005:
            return f"no {name} corner"
    return None


def check_dawn(rows):
    """dawn.mjs's triangle: colours are barycentric coordinates."""
    size = len(rows)
    for y, row in enumerate(rows):
        for x, pixel in enumerate(row):
            across, up = (2 * x + 1) / size - 1, 1 - (2 * y + 1) / size
            top = (up + 0.8) / 1.6
            left = (1 - top - across / 0.8) / 2
            weights = (top, left, 1 - top - left)
            if min(weights) > 0.02 and any(abs(value - 255 * weight) > 2 for value, weight in zip(pixel, weights)):
                return f"pixel {x}, {y} is {pixel}"
            if min(weights) < -0.02 and pixel != (51, 51, 51):
                return f"pixel {x}, {y} beside the triangle is {pixel}"
    return None


def check_scene(rows):
    """A picture with many colours, none of which is nearly everywhere."""
    counts = {}
    for row in rows:
        for pixel in row:
            counts[pixel] = counts.get(pixel, 0) + 1
    most = max(counts.values()) / (len(rows) * len(rows[0]))
    return None if len(counts) > 1000 and most < 0.6 else f"{len(counts)} colours, one of them on {most:.0%}"


def check_scene_or_less(rows):
    """A picture with some colours: scenes of a benchmark are simple."""
    colors = {pixel for row in rows for pixel in row}
    return None if len(colors) > 50 else f"{len(colors)} colours"


def check_widgets(rows):
    """A light window with dark text and something blue."""
    light, blue = (share(rows, lambda *pixel: min(pixel) > 200),
                   share(rows, lambda red, green, blue: blue > 150 and blue > 1.5 * red))
    return None if light > 0.4 and blue > 0.001 else f"{light:.0%} are light, {blue:.1%} blue"


def check_scaled(folder):
    """ffmpeg's pictures: libplacebo's is nearly what the processor's scaler makes."""
    ours, theirs = (pictures.read_png(os.path.join(folder, name)) for name in ("placebo.png", "swscale.png"))
    if (len(ours), len(ours[0])) != (len(theirs), len(theirs[0])):
        return "another size"
    differences = [abs(one - other) for our_row, their_row in zip(ours, theirs)
                   for our_pixel, their_pixel in zip(our_row, their_row) for one, other in zip(our_pixel, their_pixel)]
    mean = sum(differences) / len(differences)
    return None if mean < 6 else f"differs from the processor's picture by {mean:.1f} of 255"


def check_webgl(folder):
    """webgl.html's picture is dawn.mjs's."""
    return check_dawn(pictures.read_png(os.path.join(folder, "shown.png")))


def check_three(folder):
    """three.mjs's picture is lavapipe's but for pixels on edges."""
    ours, theirs = (read_ppm(os.path.join(folder, name)) for name in ("three.ppm", "lavapipe.ppm"))
    others = sum(1 for our_row, their_row in zip(ours, theirs) for one, other in zip(our_row, their_row)
                 if max(abs(a - b) for a, b in zip(one, other)) > 4)
    return check_scene(ours) or (None if others < 50 else f"{others} pixels differ from lavapipe's")


class Client:
    """One program. `frames`: how many pictures it presents before it is stopped; None: it ends by itself. `lacking`: what it
    prints where the distribution has built it without Vulkan, which is no failure. `faults`: what the validation layer says of
    it on every driver."""

    def __init__(self, name, command, check, frames=None, environment=None, limit=300, lacking=None, faults=()):
        self.name = name
        self.command = command
        self.check = check
        self.frames = frames
        self.environment = environment or {}
        self.limit = limit  # seconds
        self.lacking = lacking
        self.faults = faults

    def run(self, options):
        """What is wrong, or None."""
        folder = os.path.join(os.path.abspath(options.work), self.name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        environment = {**os.environ, "VK_DRIVER_FILES": options.icd, "VK_ICD_FILENAMES": options.icd,
                       "VK_LOADER_LAYERS_DISABLE": "~implicit~", "NODEVICE_SELECT": "1", "KILN_DEVICES": options.target,
                       "KILN_PRESENT_DIR": folder, "KILN_LOG": os.path.join(folder, "kiln.log"), "HOME": folder, "XDG_RUNTIME_DIR": folder, **self.environment}
        if options.layer:
            environment.update(VK_LAYER_PATH=options.work, VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation")
        command = self.command(folder, options) if callable(self.command) else self.command
        with open(os.path.join(folder, "output.txt"), "wb") as output:
            try:
                process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            except FileNotFoundError:
                return f"{command[0]} is not installed (run.sh)"
            wrong = self.wait(process, folder)
        if self.lacking and self.says(folder, self.lacking):
            return None
        return wrong or self.complaint(folder) or self.invalid(folder) or self.look(folder)

    def invalid(self, folder):
        """The first rule that the validation layer misses, or None."""
        with open(os.path.join(folder, "output.txt"), encoding="utf-8", errors="replace") as file:
            rules = [rule for rule in re.findall(r"VUID-[\w-]+", file.read()) if rule not in self.faults]
        return f"validation: {rules[0]} (output.txt)" if rules else None

    @staticmethod
    def says(folder, text):
        """Whether it has printed that."""
        with open(os.path.join(folder, "output.txt"), encoding="utf-8", errors="replace") as file:
            return text in file.read()

    @staticmethod
    def complaint(folder):
        """The first message of the driver, or None: it says nothing while all is well."""
        path = os.path.join(folder, "kiln.log")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8", errors="replace") as file:
            line = file.readline().strip()
        return f"the driver says: {line}" if line else None

    def wait(self, process, folder):
        """Until the end, or the last frame that is wanted is there; what went wrong, or None."""
        end = time.monotonic() + self.limit
        while process.poll() is None and not (self.frames and len(presented(folder)) >= self.frames):
            if self.lacking and self.says(folder, self.lacking):
                break
            if time.monotonic() > end:
                self.stop(process)
                return f"not done after {self.limit} s"
            time.sleep(0.1)
        if self.frames:
            time.sleep(2)  # the file is written while it is seen
        if process.poll() is not None and (process.returncode or self.frames):
            return f"ended with {process.returncode} (output.txt)"
        self.stop(process)
        return None

    @staticmethod
    def stop(process):
        """Ends it and what it has started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def look(self, folder):
        """What is wrong with the last picture, or with those of the program."""
        if not self.frames:
            return self.check(folder)
        return self.check(pictures.read_png(presented(folder)[self.frames - 1]))


def read_ppm(path):
    """Rows of (red, green, blue)."""
    with open(path, "rb") as file:
        width, height = map(int, file.readline().split()[1:3])
        data = file.read()
    return [[tuple(data[3 * (y * width + x):][:3]) for x in range(width)] for y in range(height)]


def node_command(name, *arguments):
    """A script, which must lie beside the installed packages. Arguments are names in the client's folder."""
    def command(folder, options):
        script = os.path.join(options.work, name)
        shutil.copy(os.path.join(HERE, name), script)
        return ["node", script, *(os.path.join(folder, argument) for argument in arguments)]
    return command


def three_command(folder, options):
    """On the driver and on lavapipe."""
    command = " ".join(node_command("three.mjs")(folder, options))
    lavapipe = glob.glob(pictures.LAVAPIPE)[0]
    return ["bash", "-c", f"set -e; {command} three.ppm; unset VK_INSTANCE_LAYERS;"
            f" VK_DRIVER_FILES={lavapipe} VK_ICD_FILENAMES={lavapipe} {command} lavapipe.ppm"]


def chromium_command(folder, _):
    """WebGL 2 through ANGLE. Chromium gives contexts up when the machine is busy, and says so."""
    page = os.path.join(HERE, "webgl.html")
    return ["bash", "-c", "for _ in 1 2 3; do chromium --headless --no-sandbox --use-gl=angle --use-angle=vulkan --enable-features=Vulkan"
            " --disable-vulkan-surface --ignore-gpu-blocklist --disable-gpu-watchdog --enable-logging=stderr --hide-scrollbars"
            f" --user-data-dir={folder}/profile --window-size=256,256 --screenshot={folder}/shown.png 'file://{page}' >run.txt 2>&1;"
            " cat run.txt; grep -q CONTEXT_LOST_WEBGL run.txt || break; done"]


def weston_renderer_command(*_):
    """A compositor that draws with Vulkan (since weston 15), a program in it, and a picture of what it shows."""
    return ["bash", "-c", """
ini=$PWD/weston.ini; printf '[shell]\npanel-position=none\nbackground-color=0xff204060\n' >"$ini"
weston --backend=headless-backend.so --renderer=vulkan --socket=shown --width=400 --height=300 --idle-time=0 --debug --config="$ini" &
server=$!
for _ in $(seq 300); do [[ -S shown ]] || sleep 0.1; done
export WAYLAND_DISPLAY=shown; unset VK_INSTANCE_LAYERS
weston-flower & flower=$!
sleep 5; weston-screenshooter; kill $flower $server; wait; mv wayland-screenshot-*.png shown.png"""]


def check_flower(folder):
    """A flower of one colour, in front of the colour that weston was told."""
    rows = pictures.read_png(os.path.join(folder, "shown.png"))
    background = share(rows, lambda *pixel: pixel == (0x20, 0x40, 0x60))
    return None if 0.6 < background < 0.97 else f"the background covers {background:.0%}"


def weston_command(*command):
    """In a Wayland compositor of its own instead of the X server."""
    return [sys.executable, os.path.join(HERE, os.pardir, "icd", "weston.py"), *command]


def glmark_command(folder, _):
    """A frame or more of scenes that differ; the last one stays."""
    scenes = ("texture", "shading:shading=cel", "bump:bump-render=normals", "effect2d", "pulsar", "desktop", "buffer", "shadow", "refract",
              "jellyfish")
    return ["glmark2", "--size", "200x150", *(word for scene in scenes for word in ("-b", f"{scene}:duration=0.1"))]


def mpv_command(_, options):
    """Software devices must be asked for by their names."""
    return ["mpv", "--no-config", "--vo=gpu-next", "--gpu-api=vulkan", "--gpu-context=x11vk", "--gpu-sw=yes",
            f"--vulkan-device=Kiln {options.target} (software)", "--no-audio", "--frames=3",
            "av://lavfi:testsrc2=size=320x240:rate=25:duration=2"]


def check_last(check):
    """Looks at the last picture of a program that ends by itself."""
    def look(folder):
        shown = presented(folder)
        return check(pictures.read_png(shown[-1])) if shown else "it shows nothing"
    return look


def check_bars(rows):
    """testsrc2 has bars of six colours behind what moves."""
    for color in ((255, 0, 0), (0, 255, 0), (255, 255, 0), (0, 0, 255), (255, 0, 255), (0, 255, 255)):
        part = share(rows, lambda *pixel, wanted=color: all(abs(one - other) < 30 for one, other in zip(pixel, wanted)))
        if part < 0.05:
            return f"the bar of the colour {color} covers {part:.1%}"
    return None


def ffmpeg_command(folder, _):
    """The same test picture, enlarged by libplacebo and by the processor."""
    source = "testsrc2=size=160x120:rate=1:duration=1"
    script = ("set -e; ffmpeg -v error -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi -i " + source +
              " -vf format=rgba,hwupload,libplacebo=w=320:h=240:format=rgba,hwdownload,format=rgba,format=rgb24"
              " -frames:v 1 placebo.png;"
              " ffmpeg -v error -f lavfi -i " + source + " -vf scale=320:240,format=rgb24 -frames:v 1 swscale.png")
    return ["bash", "-c", f"cd '{folder}'; {script}"]


def supertuxkart_command(driver):
    """A race that starts by itself. Compressing the textures on the processor would take minutes, so it is off."""
    def command(folder, _):
        settings = os.path.join(folder, ".config", "supertuxkart", "config-0.10")
        os.makedirs(settings)
        with open(os.path.join(settings, "config.xml"), "w", encoding="utf-8") as file:
            file.write('<?xml version="1.0"?>\n<stkconfig version="8">\n  <Video enable_texture_compression="false" '
                       'enable_high_definition_textures="2" max_texture_size="64"/>\n</stkconfig>\n')
        return ["/usr/games/supertuxkart", f"--render-driver={driver}", "--screensize=320x240", "--windowed", "--no-sound", "-N",
                "--track=lighthouse", "--numkarts=1"]
    return command


# Faults of programs, as Debian 12 has them. vkcube and SuperTuxKart signal semaphores that presents may still wait for, mpv destroys them; vkd3d
# and Chromium enable extensions without those that they need.
REUSED_SEMAPHORE = ("VUID-vkQueueSubmit-pSignalSemaphores-00067",)
EARLY_END = ("VUID-vkDestroySemaphore-semaphore-05149", "VUID-vkDestroySwapchainKHR-swapchain-01282")
LONELY_EXTENSION = ("VUID-vkCreateDevice-ppEnabledExtensionNames-01387",)

CLIENTS = [
    Client("vkcube", ["vkcube"], check_cube, frames=5, faults=REUSED_SEMAPHORE),
    Client("vkcube-wayland", weston_command("vkcube-wayland"), check_cube, frames=5, faults=REUSED_SEMAPHORE),
    Client("weston-vulkan", weston_renderer_command, check_flower, lacking="unhandled option"),
    Client("gtk4-wayland", weston_command("gtk4-widget-factory"), check_widgets, frames=3,
           environment={"GSK_RENDERER": "vulkan", "GDK_BACKEND": "wayland"}, lacking="Unrecognized renderer"),
    Client("dawn", node_command("dawn.mjs", "dawn.ppm"), lambda folder: check_dawn(read_ppm(os.path.join(folder, "dawn.ppm")))),
    Client("three", three_command, check_three),
    Client("tfjs", node_command("tfjs.mjs"), lambda folder: None),  # compares by itself
    Client("llama", node_command("llama.mjs", ""), lambda folder: None, limit=900,
           environment={"GGML_VK_VISIBLE_DEVICES": "0"}),  # takes devices that are no hardware only when it is told to
    Client("chromium", chromium_command, check_webgl, faults=LONELY_EXTENSION),
    Client("vkd3d-triangle", ["vkd3d-triangle"], check_triangle, frames=1, faults=LONELY_EXTENSION),  # draws when the window shows up
    Client("vkd3d-gears", ["vkd3d-gears"], check_gears, frames=5, faults=LONELY_EXTENSION),
    Client("glxinfo-zink", ["glxinfo", "-B"], check_gl_version, environment=ZINK),
    Client("glxgears-zink", ["glxgears"], check_gears, frames=5, environment=ZINK),
    Client("glmark2-zink", glmark_command, check_last(check_scene_or_less), environment=ZINK),
    Client("mpv", mpv_command, check_last(check_bars), faults=EARLY_END),
    # The first frames say that it loads.
    Client("supertuxkart", supertuxkart_command("vulkan"), check_scene, frames=200, limit=900, faults=REUSED_SEMAPHORE),
    Client("supertuxkart-zink", supertuxkart_command("gl"), check_scene, frames=200, limit=900,
           environment=ZINK),
    Client("ffmpeg-libplacebo", ffmpeg_command, check_scaled),
]


def write_manifest(options):
    """Of the validation layer."""
    layer = {"name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL", "library_path": os.path.abspath(options.layer),
             "api_version": "1.4.0", "implementation_version": "1", "description": "Khronos Validation Layer",
             "instance_extensions": [{"name": "VK_EXT_debug_utils", "spec_version": "1"}]}
    with open(os.path.join(options.work, "validation.json"), "w", encoding="utf-8") as file:
        json.dump({"file_format_version": "1.2.0", "layer": layer}, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--icd", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--target", default="gfx1100")
    parser.add_argument("--layer", help="libVkLayer_khronos_validation.so")
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=" ".join(client.name for client in CLIENTS))
    options = parser.parse_args()
    options.icd, options.work = os.path.abspath(options.icd), os.path.abspath(options.work)
    if options.layer:
        write_manifest(options)
    unknown = set(options.clients) - {client.name for client in CLIENTS}
    if unknown:
        parser.error(f"no client {' '.join(sorted(unknown))}")
    failed = 0
    for client in CLIENTS:
        if options.clients and client.name not in options.clients:
            continue
        wrong = client.run(options)
        failed += wrong is not None
        print(f"{client.name}: {wrong or 'right'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
